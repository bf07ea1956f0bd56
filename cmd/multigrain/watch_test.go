package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// output collects what a process writes.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// waits waits until a text was written so often.
func (o *output) waits(t *testing.T, text string, times int) {
	t.Helper()
	for range 12000 { // builds of a busy machine take minutes
		if strings.Count(o.String(), text) >= times {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%q was not written %d times:\n%s", text, times, o.String())
}

// TestWatch: check -watch shows what a saved manifest and a saved specification change, also while
// they are wrong. Ctrl-C ends it with the exit code of the last result.
func TestWatch(t *testing.T) {
	inTime(t)
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted there")
	}
	folder := t.TempDir()
	source := registryModule(t, folder, issued, issued)
	manifest := filepath.Join(folder, "registry.hcl")
	edit := func(path, old, text string) {
		t.Helper()
		b, err := os.ReadFile(path)
		if err == nil && !bytes.Contains(b, []byte(old)) {
			t.Fatalf("%s has no %q", path, old)
		}
		if err == nil {
			err = os.WriteFile(path, bytes.Replace(b, []byte(old), []byte(text), 1), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd, out := exec.Command(binary(t), "check", "-watch", manifest), &output{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	const ready = "Ctrl-C ends"
	out.waits(t, ready, 1)
	// Another bound: other counts.
	edit(manifest, "check {", "bounds {\n  most = 1\n}\n\ncheck {")
	out.waits(t, ready, 2)
	// A manifest that is wrong has its errors, and is watched further.
	edit(manifest, "most = 1", "most = 99")
	out.waits(t, ready, 3)
	edit(manifest, "most = 99", "most = 2")
	out.waits(t, ready, 4)
	// A mistake in the specification.
	edit(source, "return s.Ever[s.Number].Has(p.I)", "return s.Number < 2")
	out.waits(t, ready, 5)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 13 {
		t.Errorf("the exit code is %d, want 13\n%s", code, out)
	}
	for _, want := range []string{"bound most ", "distinct states ", "saved: ", "registry.go", "differs: the run before and this one", "violation ServedIssued"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
}
