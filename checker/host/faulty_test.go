package host

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFaults runs a few calls under every fault and compares which of them fail, and how.
func TestFaults(t *testing.T) {
	for fault, want := range map[string]string{
		"no-space":    "make temp mkdir write: no space left on device",
		"short-write": "write: input/output error",
		"slow-write":  "",
		"no-sync":     "sync: input/output error",
		"no-rename":   "rename: input/output error",
		"no-remove":   "remove: permission denied",
		"no-open":     "open make temp mkdir: too many open files",
		"no-read":     "read: input/output error",
		"clock-jumps": "clock",
		"clock-leaps": "clock",
		"clock-back":  "clock",
		"clock-stops": "clock",
		"forbidden":   "open make temp mkdir rename: permission denied",
	} {
		s := NewFaulty(operating{}, Plan{Fault: fault, Nth: 1, Lasts: true, Seed: 3})
		failed, text := calls(t, s)
		got := strings.Join(failed, " ")
		if text != "" {
			got += ": " + text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", fault, got, want)
		}
	}
	if len(Faults) != 13 {
		t.Errorf("%d faults, 13 are tested", len(Faults))
	}
}

// calls returns the calls that fail in a folder with one file, and the text of their errors.
func calls(t *testing.T, s System) (failed []string, text string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	note := func(what string, err error) {
		if err != nil {
			failed = append(failed, what)
			for errors.Unwrap(err) != nil {
				err = errors.Unwrap(err)
			}
			text = err.Error()
		}
	}
	_, err = s.OpenFile(path, os.O_RDONLY, 0)
	note("open", err)
	_, err = s.OpenFile(path+"2", os.O_CREATE|os.O_WRONLY, 0o600)
	note("make", err)
	_, err = s.CreateTemp(dir, "x-*")
	note("temp", err)
	note("mkdir", s.MkdirAll(filepath.Join(dir, "sub"), 0o700))
	system, ok := s.(*Faulty)
	if !ok {
		t.Fatalf("%T", s)
	}
	open := &faultyFile{f, system}
	n, err := open.Write([]byte("four"))
	note("write", err)
	if err != nil && n != 2 {
		t.Errorf("%d bytes were written, want half of 4", n)
	}
	note("sync", open.Sync())
	_, err = open.ReadAt(make([]byte, 2), 0)
	note("read", err)
	note("rename", s.Rename(path, path+"3"))
	if err := os.WriteFile(path+"4", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	note("remove", s.Remove(path+"4"))
	before, real := s.Now(), time.Now()
	time.Sleep(2 * time.Millisecond)
	if d := s.Since(before) - time.Since(real); d.Abs() > 500*time.Microsecond || before.Sub(real).Abs() > time.Minute {
		failed = append(failed, "clock")
	}
	return failed, text
}

// TestOnce fails one operation, and those after it only where the plan says so.
func TestOnce(t *testing.T) {
	dir := t.TempDir()
	for _, lasts := range []bool{false, true} {
		log := filepath.Join(dir, "log")
		s := NewFaulty(operating{}, Plan{Fault: "no-space", Nth: 3, Lasts: lasts, Log: log})
		var failed []int
		for k := range 5 {
			f, err := s.OpenFile(filepath.Join(dir, "file"), os.O_CREATE|os.O_WRONLY, 0o600)
			if errors.Is(err, syscall.ENOSPC) {
				failed = append(failed, k)
			} else if err == nil {
				f.Close()
			}
		}
		want := []int{2}
		if lasts {
			want = []int{2, 3, 4}
		}
		if text, _ := os.ReadFile(log); !slices.Equal(failed, want) || strings.Count(string(text), "\n") != 1 {
			t.Errorf("%v failed, want %v; the log is %q", failed, want, text)
		}
		os.Remove(log)
	}
}

// TestPlan: what String writes, ParsePlan reads, and what makes no sense is refused.
func TestPlan(t *testing.T) {
	want := Plan{Fault: "no-sync", Nth: 7, Lasts: true, Seed: 1 << 60, In: "program", Log: "/a folder/log"}
	if got, err := ParsePlan(want.String()); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{"", "fault=rain nth=1", "fault=no-sync nth=0", "fault=no-sync nth=x", "fault=no-sync nth=1 in=cache", "colour=red"} {
		if p, err := ParsePlan(text); err == nil {
			t.Errorf("%q is %+v", text, p)
		}
	}
	for _, c := range []struct {
		in, executable string
		want           bool
	}{{"", "/x/multigrain", true}, {"command", "/x/multigrain", true}, {"command", "/c/programs/ab", false}, {"program", "/c/programs/ab", true}} {
		if got := (Plan{In: c.in}).Concerns(c.executable); got != c.want {
			t.Errorf("%q concerns %s: %t", c.in, c.executable, got)
		}
	}
}

// TestInert: a program without the tag torture reads no plan.
func TestInert(t *testing.T) {
	if _, ok := current.(operating); !ok {
		t.Errorf("the system is %T", current)
	}
}

// TestReadFile reads files of any length, and one that cannot be read to its end.
func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, size := range []int{0, 1, 511, 512, 513, 1 << 17} {
		want := strings.Repeat("x", size)
		if err := WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%d of %d bytes, %v", len(got), size, err)
		}
	}
	if _, err := ReadFile(path + "2"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if text, err := ReadFile("/proc/self/stat"); err == nil && len(text) == 0 { // its size is 0
		t.Error("a file of /proc is empty")
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); err != nil || len(b) != 1<<17 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}
