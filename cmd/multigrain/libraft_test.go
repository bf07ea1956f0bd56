package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestLibraft: three mistakes of libraft 0.15.0 are found in its specification, and the unmodified
// library takes each trace. With repairs nothing is violated. The library conforms on some walks,
// also with late writes and with PreVote. It departs from the repaired specification, and so does a
// driver whose disk loses a vote from the specification of 0.15.0.
func TestLibraft(t *testing.T) {
	t.Parallel()
	const manifest = "../../configs/raft/libraft.hcl"
	if out, err := exec.Command("multigrain", "conform", "-setup", manifest).CombinedOutput(); err != nil {
		t.Skipf("libraft cannot be set up: %v\n%s", err, out)
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
	for name, code := range map[string]int{"commits-older-term": verdicts.ExitStep, "match-beyond-message": verdicts.ExitSafety, "answers-nobody": verdicts.ExitAssert} {
		run(code, "check", "../../configs/raft/libraft/"+name+".hcl", "-traces", traces)
		found, err := filepath.Glob(filepath.Join(traces, name+"-*.itf.json"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: traces %v, %v", name, found, err)
		}
		run(0, "replay", found[0])
		run(0, "check", "../../configs/raft/libraft/"+name+".hcl", "-var", "version=repaired")
	}
	run(0, "conform", manifest, "-walks", "20")
	run(0, "conform", manifest, "-walks", "20", "-var", "prevote=true")
	run(0, "conform", manifest, "-walks", "20", "-var", "replication=writes")
	run(30, "conform", manifest, "-walks", "100", "-var", "version=repaired", "-traces", traces)

	forgets := filepath.Join(t.TempDir(), "forgets.hcl")
	base, err := filepath.Abs(manifest)
	if err != nil {
		t.Fatal(err)
	}
	text := "extends = \"" + filepath.ToSlash(base) + "\"\n\nimplementation \"libraft\" {\n  settings {\n    forgets = true\n  }\n}\n"
	if err := os.WriteFile(forgets, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run(30, "conform", forgets, "-walks", "100", "-traces", traces); !strings.Contains(out, "another term or vote on its disk") {
		t.Errorf("a disk that loses votes is not named:\n%s", out)
	}
}
