package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// endless starts the command on a specification whose code does not return, and waits until its
// program runs.
func endless(t *testing.T, text string, environ ...string) (cmd *exec.Cmd, program string, out *bytes.Buffer) {
	t.Helper()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(t.TempDir(), "endless.hcl")
	if err := os.WriteFile(manifest, []byte(strings.ReplaceAll(text, "REPO", repo)), 0o644); err != nil {
		t.Fatal(err)
	}
	out = new(bytes.Buffer)
	cmd = exec.Command("multigrain", "check", manifest, "-quiet")
	cmd.Env = append(os.Environ(), environ...)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for range 6000 {
		if p := programOf(cmd.Process.Pid); p != "" {
			time.Sleep(200 * time.Millisecond) // into the user's code
			return cmd, p, out
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no program began\n%s", out)
	return nil, "", nil
}

// programOf returns the folder in /proc of the program that a command runs.
func programOf(parent int) string {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range all {
		stat, _ := os.ReadFile(p + "/status")
		exe, _ := os.Readlink(p + "/exe")
		if strings.Contains(string(stat), fmt.Sprintf("\nPPid:\t%d\n", parent)) && strings.Contains(exe, "/programs/") {
			return p
		}
	}
	return ""
}

// alive reports whether a process runs.
func alive(program string) bool {
	stat, err := os.ReadFile(program + "/status")
	return err == nil && !strings.Contains(string(stat), "State:\tZ")
}

const (
	unreadyText = "system \"unready\" {\n  source = \"REPO/cmd/multigrain/testdata/spec/unready\"\n}\nmodule \"counter\" {\n  grain = \"baseline\"\n}\n"
	bufferText  = "system \"buffer\" {\n  source = \"REPO/cmd/multigrain/testdata/spec/buffer\"\n}\nmodule \"producer\" {\n  grain = \"baseline\"\n}\n" +
		"module \"consumers\" {\n  grain = \"baseline\"\n}\noptions {\n  fault = \"endless\"\n}\n"
)

// TestParentKilled: a program does not outlive the command, whatever the user's code does, and
// although the command cannot say goodbye.
func TestParentKilled(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"initialisation": unreadyText, "effect": bufferText} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, program, _ := endless(t, text, "UNREADY=endless")
			if !alive(program) {
				t.Fatal("the program ended by itself")
			}
			cmd.Process.Kill()
			cmd.Wait()
			for range 500 {
				if !alive(program) {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Error("the program outlives the command")
		})
	}
}

// TestInterruptInit: one interrupt ends a run whose initialisation does not return.
func TestInterruptInit(t *testing.T) {
	t.Parallel()
	cmd, program, out := endless(t, unreadyText, "UNREADY=endless")
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != verdicts.ExitUndecided ||
		!strings.Contains(out.String(), "undecided: interrupted while the specification was initialised, at ") || !strings.Contains(out.String(), "unready.go line ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if alive(program) {
		t.Error("the program is still there")
	}
}
