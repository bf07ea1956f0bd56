package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFuzzTargets compares the targets that are found in the sources with those that git grep
// finds.
func TestFuzzTargets(t *testing.T) {
	t.Chdir("../..")
	got, err := fuzzTargets(".")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "grep", "--untracked", "-hoE", `^func Fuzz\w*\(f \*testing\.F\)`, "--", "*_test.go", ":!.ci").Output()
	if err != nil {
		t.Fatal(err)
	}
	var want, names []string
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "func "), "(")
		want = append(want, name)
	}
	for _, f := range got {
		names = append(names, f.name)
	}
	slices.Sort(want)
	slices.Sort(names)
	if !slices.Equal(names, want) || len(names) < 10 {
		t.Errorf("found %v, want %v", names, want)
	}
}

func TestIsTarget(t *testing.T) {
	folder := t.TempDir()
	text := "package a\n\nfunc FuzzA(f *testing.F) {}\nfunc FuzzB(t *testing.T) {}\nfunc fuzzC(f *testing.F) {}\nfunc (x y) FuzzD(f *testing.F) {}\nfunc FuzzE() {}\n"
	if err := os.WriteFile(filepath.Join(folder, "a_test.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := fuzzTargets(folder)
	if err != nil || len(got) != 1 || got[0].name != "FuzzA" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestFuzzResumes kills a run in its second target, and lets one fail: the next run does what is
// left, and the one after it starts anew.
func TestFuzzResumes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "done")
	targets := []fuzzTarget{{"./a", "FuzzA"}, {"./a", "FuzzB"}, {"./b", "FuzzC"}}
	var ran []string
	round := func(fails string, killed bool) (err error) {
		defer func() { recover() }()
		ran = nil
		done, err := openDone(path)
		if err != nil {
			t.Fatal(err)
		}
		return fuzzAll(targets, time.Second, done, func(f fuzzTarget, _ time.Duration) bool {
			ran = append(ran, f.name)
			if f.name == fails && killed {
				panic("killed")
			}
			return f.name != fails
		})
	}
	for k, c := range []struct {
		fails  string
		killed bool
		want   string
		failed bool
	}{
		{"FuzzB", true, "FuzzA FuzzB", false},
		{"FuzzB", false, "FuzzB FuzzC", true},
		{"", false, "FuzzB", false},
		{"", false, "FuzzA FuzzB FuzzC", false},
	} {
		err := round(c.fails, c.killed)
		if got := strings.Join(ran, " "); got != c.want || (err != nil) != c.failed {
			t.Errorf("run %d: %s, %v, want %s", k, got, err, c.want)
		}
	}
}

// TestEndedByTime: a target whose time ended in the middle of an input found nothing, any other
// failure is one.
func TestEndedByTime(t *testing.T) {
	t.Parallel()
	const head = "fuzz: elapsed: 5s, execs: 40304 (0/sec), new interesting: 1 (total: 8)\n--- FAIL: FuzzRead (5.20s)\n"
	const tail = "FAIL\nexit status 1\nFAIL\texample.com/x\t5.202s\n"
	for out, want := range map[string]bool{
		head + "    context deadline exceeded\n" + tail:                                                             true,
		head + "    --- FAIL: FuzzRead (0.00s)\n        x_test.go:9: context deadline exceeded\n    \n" + tail:      false,
		head + "    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzRead/1\n" + tail:      false,
		"panic: test timed out after 5s\n" + tail:                                                                   false,
		"fuzz: elapsed: 5s, execs: 40304 (0/sec), new interesting: 1 (total: 8)\nPASS\nok  \texample.com/x\t5.2s\n": false,
	} {
		if got := endedByTime(out); got != want {
			t.Errorf("%v, want %v for\n%s", got, want, out)
		}
	}
}
