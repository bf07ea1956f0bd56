package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestRaftOS: the published mistakes of RaftOS 0.2.6, and two leaders in a term, are found in its
// specification. The unmodified library takes each trace. With repairs nothing is violated. The
// library departs from the repaired specification, and conforms to the other one on some walks.
func TestRaftOS(t *testing.T) {
	t.Parallel()
	const manifest = "../../configs/raft/raftos.hcl"
	if out, err := exec.Command("python3.7", "--version").CombinedOutput(); err != nil {
		t.Skipf("RaftOS requires python3.7 in PATH: %v\n%s", err, out)
	}
	if out, err := exec.Command("multigrain", "conform", "-setup", manifest).CombinedOutput(); err != nil {
		t.Skipf("RaftOS cannot be set up: %v\n%s", err, out)
	}
	traces := t.TempDir()
	run := func(want int, args ...string) string {
		t.Helper()
		cmd := exec.Command("multigrain", append(args, "-quiet")...)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: exit code %d, want %d\n%s", strings.Join(args, " "), got, want, out)
		}
		return string(out)
	}
	for name, code := range map[string]int{"match-goes-down": verdicts.ExitStep, "erases-matching": verdicts.ExitSafety,
		"stops-committing": verdicts.ExitStep, "no-request-id": verdicts.ExitAssert, "stale-votes": verdicts.ExitSafety, "half-is-majority": verdicts.ExitSafety} {
		run(code, "check", "../../configs/raft/raftos/"+name+".hcl", "-traces", traces)
		found, err := filepath.Glob(filepath.Join(traces, name+"-*.itf.json"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: traces %v, %v", name, found, err)
		}
		run(0, "replay", found[0])
		run(0, "check", "../../configs/raft/raftos/"+name+".hcl", "-var", "version=repaired")
	}
	run(0, "conform", manifest, "-walks", "20")
	run(30, "conform", manifest, "-walks", "20", "-var", "version=repaired", "-traces", traces)
}
