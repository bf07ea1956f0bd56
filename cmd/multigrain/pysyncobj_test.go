package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestPySyncObj: four published mistakes of PySyncObj 0.3.11 are found in the specification of that
// version. The library itself, unmodified, takes each of these traces. Version 0.3.12 departs from
// them, and the newest version conforms on some walks.
func TestPySyncObj(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it sets up and drives three versions of the package; set MULTIGRAIN_SLOW=1")
	}
	inTime(t)
	const manifest = "../../configs/raft/pysyncobj.hcl"
	for _, version := range []string{"0.3.11", "0.3.12", "0.3.17"} {
		cmd := exec.Command("multigrain", "conform", "-setup", manifest, "-var", "version="+version)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("PySyncObj %s cannot be set up: %v\n%s", version, err, out)
		}
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
	for name, code := range map[string]int{"commit-goes-down": verdicts.ExitStep, "next-below-match": verdicts.ExitSafety, "match-goes-down": verdicts.ExitStep, "commits-older-term": verdicts.ExitStep} {
		if os.Getenv("MULTIGRAIN_SLOW") == "" && name != "next-below-match" {
			continue
		}
		run(code, "check", "../../configs/raft/pysyncobj/"+name+".hcl", "-traces", traces)
		found, err := filepath.Glob(filepath.Join(traces, name+"-*.itf.json"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: traces %v, %v", name, found, err)
		}
		run(0, "replay", found[0])
		run(30, "replay", found[0], "-impl", "pysyncobj@0.3.12")
	}
	run(0, "conform", manifest, "-traces", "20")
}
