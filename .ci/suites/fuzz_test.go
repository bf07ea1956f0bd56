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
