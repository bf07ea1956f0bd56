package change

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// TestNoFlagsOfGit gives Git a revision of a table and a blob of a diff that are flags. Git must
// not write the file that they name.
func TestNoFlagsOfGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(file, []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git %v: %s", args, out)
		}
	}
	if err := os.WriteFile(file, []byte("two\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	written := filepath.Join(t.TempDir(), "written")
	flag := "--output=" + written
	based, err := openRepo(dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	given, err := openRepo(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openRepo(dir, flag); err == nil {
		t.Error("-base can be a flag")
	}
	if _, err := based.shift(flag, &unified.File{Old: "a.txt"}); err == nil {
		t.Error("a revision can be a flag")
	}
	files, err := unified.Parse("diff --git a/a.txt b/a.txt\nindex " + flag + ".." + flag + " 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := given.shift("HEAD", files[0]); err == nil {
		t.Error("a blob can be a flag")
	}
	if _, err := os.Stat(written); err == nil {
		t.Errorf("Git wrote %s", written)
	}
}

// TestNoProgramsOfRepo reads a repository whose settings name programs. Git must not run them.
func TestNoProgramsOfRepo(t *testing.T) {
	t.Parallel()
	dir, mark := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("a.txt", "one\n")
	write("program", "#!/bin/sh\ntouch "+mark+"\ncat \"$1\" 2>/dev/null\n")
	write(".gitattributes", "*.txt diff=mine\n")
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git %v: %s", args, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a")
	program := filepath.Join(dir, "program")
	git("config", "diff.mine.textconv", program)
	git("config", "diff.mine.command", program)
	git("config", "diff.external", program)
	git("config", "core.fsmonitor", program)
	write("a.txt", "two\n")
	r, err := openRepo(dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.diff()
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	r.texts(files[0])
	if _, err := r.shift("HEAD", files[0]); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("Git ran a program of the repository")
	}
}

// TestRepositoryIsNotWritten: a change is read without a write to the repository, also where the
// index is older than the files.
func TestRepositoryIsNotWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	written(t, dir, map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nvar a = 1\n", "b.go": "package m\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git %v: %s", args, out)
		}
	}
	written(t, dir, map[string]string{"a.go": "package m\n\nvar a = 2\n", "new.go": "package m\n"})
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "b.go"), later, later); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	o := Options{Dir: dir, Base: "HEAD", Packages: []string{"./..."}, Places: new(Places)}
	if a, err := Analyse(o); err != nil || a.Files != 2 {
		t.Fatalf("%v, %v", a, err)
	}
	if _, err := WriteSides(o, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if _, err := Show(o); err != nil {
		t.Fatal(err)
	}
	if after := contents(t, dir); !maps.Equal(before, after) {
		for name := range after {
			if before[name] != after[name] {
				t.Errorf("%s is written", name)
			}
		}
	}
}
