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

// TestPySyncObjTransport: mistake #1 of PySyncObj is in its transport. A specification of that, and
// walks on two real transports, show it in 0.3.10. Later versions are without it. A program
// without the driver shows that a node of 0.3.10 ends, and sees nodes of later versions continue.
func TestPySyncObjTransport(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it installs three versions of the package; set MULTIGRAIN_SLOW=1")
	}
	t.Parallel()
	const manifest = "../../configs/examples/link.hcl"
	traces := t.TempDir()
	run := func(want int, args ...string) {
		t.Helper()
		cmd := exec.Command("multigrain", append(args, "-quiet")...)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: exit code %d, want %d\n%s", strings.Join(args, " "), got, want, out)
		}
	}
	for version, want := range map[string]string{
		"0.3.10": "pysyncobj 0.3.10 raises AttributeError: 'NoneType' object has no attribute 'send' ",
		"0.3.11": "pysyncobj 0.3.11 raises nothing",
		"0.3.17": "pysyncobj 0.3.17 raises nothing",
	} {
		if out, err := exec.Command("multigrain", "conform", "-setup", manifest, "-var", "version="+version).CombinedOutput(); err != nil {
			t.Skipf("PySyncObj %s cannot be set up: %v\n%s", version, err, out)
		}
		run(0, "conform", manifest, "-var", "version="+version, "-walks", "20")
		lib := t.TempDir()
		install := exec.Command("python3", "-m", "pip", "install", "--quiet", "--no-deps", "--target", lib, "pysyncobj=="+version)
		if out, err := install.CombinedOutput(); err != nil {
			t.Skipf("PySyncObj %s cannot be installed: %v\n%s", version, err, out)
		}
		program := func(args ...string) string {
			cmd := exec.Command("python3", append([]string{"../../raft/pysyncobj/testdata/reset_while_connecting.py"}, args...)...)
			cmd.Env = append(os.Environ(), "PYTHONPATH="+lib)
			out, _ := cmd.CombinedOutput()
			return string(out)
		}
		if got := program(); !strings.HasPrefix(got, want) || strings.Contains(got, " 0 of them") {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := program("gone"); version == "0.3.17" && !strings.Contains(got, "connected: True and that it has a quorum: True") {
			t.Errorf("got %s; has the library been repaired?", got)
		}
	}
	run(30, "conform", manifest, "-var", "version=0.3.11", "-impl", "pysyncobj@0.3.10", "-traces", traces)
	run(30, "conform", manifest, "-var", "version=0.3.10", "-impl", "pysyncobj@0.3.11", "-traces", traces)
	for name, code := range map[string]int{"link-exception": verdicts.ExitAssert, "link-known": verdicts.ExitSafety} {
		run(code, "check", "../../configs/examples/mistakes/"+name+".hcl", "-traces", traces)
		found, err := filepath.Glob(filepath.Join(traces, name+"-*.itf.json"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: traces %v, %v", name, found, err)
		}
		run(0, "replay", found[0])
	}
}
