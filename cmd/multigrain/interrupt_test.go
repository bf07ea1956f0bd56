//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// Ctrl-C ends an exploration with what was found by then. It is sent at the first line of
// progress, so that the exploration has begun for sure; the model is too large to end before.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("multigrain", "check", "../../configs/raft/reference.hcl", "-var", "terms=8", "-var", "requests=6", "-var", "queue=3", "-mem", "2GiB")
	cmd.Env = append(os.Environ(), "MULTIGRAIN_CACHE="+t.TempDir())
	var out bytes.Buffer
	cmd.Stdout = &out
	progress, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	sent := false
	for lines := bufio.NewScanner(progress); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if !sent && strings.HasPrefix(lines.Text(), "depth ") {
			sent = true // a second one would kill
			cmd.Process.Signal(os.Interrupt)
		}
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != shell.Undecided {
		t.Errorf("%v, want exit code %d", err, shell.Undecided)
	}
	if !strings.Contains(out.String(), "undecided: interrupted\n") || !strings.Contains(out.String(), "distinct states") {
		t.Errorf("standard output\n%s", out.String())
	}
	if strings.Contains(said.String(), "goroutine") {
		t.Errorf("standard error\n%s", said.String())
	}
}

// Ctrl-C while a monitor is built says so, as text and in the document.
func TestInterruptBuild(t *testing.T) {
	t.Parallel()
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
