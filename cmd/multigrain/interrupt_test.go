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
)

// Ctrl-C ends an exploration with what was found by then. It is sent at the first line of progress, so that the exploration
// has begun for sure; the model is too large to end before.
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
	if !errors.As(err, &exit) || exit.ExitCode() != exitUndecided {
		t.Errorf("%v, want exit code %d", err, exitUndecided)
	}
	if !strings.Contains(out.String(), "undecided: interrupted\n") || !strings.Contains(out.String(), "distinct states") {
		t.Errorf("standard output\n%s", out.String())
	}
	if strings.Contains(said.String(), "goroutine") {
		t.Errorf("standard error\n%s", said.String())
	}
}
