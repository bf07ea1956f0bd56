//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// TestEndlessInput: an input that never ends is read until the timeout, or until an interrupt. What
// was kept of it is removed.
func TestEndlessInput(t *testing.T) {
	t.Parallel()
	spec, err := filepath.Abs("testdata/spec/buffer")
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(t.TempDir(), "buffer.hcl")
	text := "system \"buffer\" {\n  source = \"" + spec + "\"\n}\nmodule \"producer\" {\n  grain = \"baseline\"\n}\nmodule \"consumers\" {\n  grain = \"baseline\"\n}\n" +
		"trace {\n  format = \"ndjson\"\n  event \"put\" {\n    action = [\"Put\"]\n  }\n}\nimplementation \"lib\" {\n  packages = [\"./...\"]\n}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args  []string
		asked bool
		want  string
	}{
		"timeout":   {[]string{"trace", manifest, "-", "-timeout", "100ms"}, false, "undecided: the time limit of 100ms is reached while the log is read"},
		"interrupt": {[]string{"trace", manifest, "-"}, true, "undecided: interrupted while the log was read"},
		"change":    {[]string{"change", manifest, "-diff", "-", "-timeout", "100ms"}, false, "undecided: the time limit of 100ms is reached while the change is read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			cmd := exec.Command("multigrain", c.args...)
			cmd.Env = append(os.Environ(), "TMPDIR="+temp)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			in, err := cmd.StdinPipe() // stays open
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			kept := func() int {
				found, _ := filepath.Glob(filepath.Join(temp, "standard-input-*"))
				return len(found)
			}
			for end := time.Now().Add(time.Minute); c.asked && kept() == 0 && time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			if c.asked {
				cmd.Process.Signal(os.Interrupt)
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != shell.Undecided || !strings.Contains(out.String(), c.want) || kept() > 0 {
				t.Errorf("exit code %d, %d files kept\n%s", code, kept(), out.String())
			}
		})
	}
}
