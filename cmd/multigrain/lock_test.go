//go:build unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// TestCheckpointInUse starts a second run with the checkpoint folder of a first one, which is
// refused. When the first one is killed, its program ends, and another run continues from its
// checkpoint.
func TestCheckpointInUse(t *testing.T) {
	inTime(t)
	folder := filepath.Join(t.TempDir(), "kept")
	check := func(args ...string) *exec.Cmd {
		return exec.Command("multigrain", append([]string{"check", "../../configs/raft/reference.hcl", "-var", "terms=8", "-var", "requests=6", "-var", "queue=3",
			"-mem", "1GiB", "-workers", "1"}, args...)...)
	}
	first := check("-checkpoint", folder, "-checkpoint-interval", "100ms")
	progress, err := first.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer first.Process.Kill()
	for lines := bufio.NewScanner(progress); lines.Scan() && !strings.HasPrefix(lines.Text(), "depth "); {
	}
	for _, err := os.Stat(filepath.Join(folder, "checkpoint")); err != nil; _, err = os.Stat(filepath.Join(folder, "checkpoint")) {
		time.Sleep(10 * time.Millisecond)
	}
	for _, flag := range []string{"-checkpoint", "-resume"} {
		out, _ := check(flag, folder).CombinedOutput()
		if !bytes.Contains(out, []byte("MG513")) || !bytes.Contains(out, []byte("nother run uses the folder")) {
			t.Errorf("%s: %s", flag, out)
		}
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	for { // its program writes a last checkpoint
		again := check("-resume", folder, "-timeout", "1ms")
		out, _ := again.CombinedOutput()
		if bytes.Contains(out, []byte("nother run uses the folder")) {
			continue
		}
		if again.ProcessState.ExitCode() != shell.Undecided || !bytes.Contains(out, []byte("continued from a checkpoint of")) {
			t.Errorf("%v: %s", again.ProcessState, out)
		}
		return
	}
}
