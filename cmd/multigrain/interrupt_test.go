//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// signalled runs a command and sends it a signal at the first line of its standard error for which
// at holds. A second signal would kill. It returns what the command wrote, and whether the signal
// was sent.
func signalled(t *testing.T, cmd *exec.Cmd, signal os.Signal, at func(line string) bool) (out, errs string, sent bool) {
	t.Helper()
	var written bytes.Buffer
	cmd.Stdout = &written
	progress, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(progress); lines.Scan(); {
		errs += lines.Text() + "\n"
		if !sent && at(lines.Text()) {
			sent = true
			cmd.Process.Signal(signal)
		}
	}
	cmd.Wait()
	return written.String(), errs, sent
}

// Ctrl-C ends an exploration with what was found by then. It is sent at the first line of
// progress, so that the exploration has begun for sure; the model is too large to end before.
func TestInterrupt(t *testing.T) {
	inTime(t)
	cmd := exec.Command("multigrain", "check", "../../configs/raft/reference.hcl", "-var", "terms=8", "-var", "requests=6", "-var", "queue=3", "-mem", "2GiB")
	out, errs, _ := signalled(t, cmd, os.Interrupt, func(line string) bool { return strings.HasPrefix(line, "depth ") })
	if code := cmd.ProcessState.ExitCode(); code != shell.Undecided {
		t.Errorf("%v, want exit code %d", cmd.ProcessState, shell.Undecided)
	}
	if !strings.Contains(out, "undecided: interrupted\n") || !strings.Contains(out, "distinct states") {
		t.Errorf("standard output\n%s", out)
	}
	if strings.Contains(errs, "goroutine") {
		t.Errorf("standard error\n%s", errs)
	}
}

// Ctrl-C while a monitor is built says so, as text and in the document.
func TestInterruptBuild(t *testing.T) {
	inTime(t)
	for _, flag := range []string{"-quiet", "-json"} {
		cache := t.TempDir()
		cmd := exec.Command("multigrain", "monitor", "../../configs/raft/monitor.hcl", "-node", "0", "-source", os.DevNull, flag)
		cmd.Env = append(os.Environ(), "MULTIGRAIN_CACHE="+cache)
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for begun := false; !begun; time.Sleep(10 * time.Millisecond) {
			files, err := os.ReadDir(cache)
			begun = err != nil || len(files) > 0
		}
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if cmd.ProcessState.ExitCode() != shell.Undecided || !strings.Contains(out.String(), "interrupted while the program was built") {
			t.Errorf("%s: %v\n%s", flag, cmd.ProcessState, out.String())
		}
	}
}

// TestInterruptLock interrupts a comparison whose result would be kept. The lock file stays as it
// was, with the entry of the same manifest.
func TestInterruptLock(t *testing.T) {
	inTime(t)
	folder := t.TempDir()
	toy, err := filepath.Abs("../../interaction/testdata/toy")
	if err != nil {
		t.Fatal(err)
	}
	manifest := fmt.Sprintf("system \"toy\" {\n  source = %q\n}\n\nmodule \"choosing\" {\n  grain = \"coarse\"\n}\n\nmodule \"work\" {\n  grain  = \"baseline\"\n  target = true\n}\n\n"+
		"module \"faults\" {\n  grain = \"crash\"\n}\n\ninteraction {\n  level = \"L2\"\n  bounds {\n    servers = 5\n    crashes = 3\n  }\n}\n", toy)
	const lock = "format = 2\n\nmanifest \"big\" {\n  digest = \"0\"\n  bounds = \"\"\n  level  = \"L2\"\n  l1     = \"preserved\"\n  l2     = \"preserved\"\n}\n"
	path := filepath.Join(folder, "big.hcl")
	for name, text := range map[string]string{path: manifest, filepath.Join(folder, "multigrain.lock"): lock} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("multigrain", "interaction", path, "-lock", "-max-states", "1000000000")
	_, errs, sent := signalled(t, cmd, os.Interrupt, func(line string) bool { return strings.HasPrefix(line, "states of the fine composition") })
	kept := strings.Contains(errs, "interrupted: the lock file is as it was\n")
	after, err := os.ReadFile(filepath.Join(folder, "multigrain.lock"))
	if cmd.ProcessState.ExitCode() != shell.Undecided || !sent || !kept || err != nil || string(after) != lock {
		t.Errorf("%v, interrupted %t, reported %t, %v\n%s", cmd.ProcessState, sent, kept, err, after)
	}
}

// Ctrl-C while a plan is made ends it undecided, and writes no manifest.
func TestInterruptPlan(t *testing.T) {
	inTime(t)
	dir := t.TempDir()
	source, err := filepath.Abs("testdata/spec/vault")
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("system \"vault\" {\n  source = %q\n}\n\nmodule \"door\" {\n  grain  = \"baseline\"\n  target = true\n}\n\nmodule \"shelves\" {\n  grain = \"coarse\"\n}\n", source)
	manifest, planned := filepath.Join(dir, "vault.hcl"), filepath.Join(dir, "planned.hcl")
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("multigrain", "plan", manifest, "-out", planned)
	cmd.Env = append(os.Environ(), "MULTIGRAIN_CACHE="+t.TempDir())
	out, errs, sent := signalled(t, cmd, os.Interrupt, func(line string) bool { return strings.HasPrefix(line, "door/baseline") })
	if code := cmd.ProcessState.ExitCode(); !sent || code != shell.Undecided || !strings.Contains(out, "undecided: interrupted before all compositions were examined") {
		t.Errorf("%v, %s%s", cmd.ProcessState, out, errs)
	}
	if _, err := os.Stat(planned); err == nil {
		t.Error("a manifest was written")
	}
}
