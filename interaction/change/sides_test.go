package change

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// written writes files into a folder.
func written(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// contents returns the files below a folder with their texts.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rest, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rest)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSidesOfRepository: the working tree counts with untracked files and without ignored ones. The
// folder stays as it is.
func TestSidesOfRepository(t *testing.T) {
	t.Parallel()
	dir, to := t.TempDir(), t.TempDir()
	written(t, dir, map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nvar a = 1\n", "gone.go": "package m\n", ".gitignore": "*.log\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git %v: %s", args, out)
		}
	}
	written(t, dir, map[string]string{"a.go": "package m\n\nvar a = 2\n", "sub/new.go": "package sub\n\nvar n = 1\n", "x.log": "ignored\n", "a_test.go": "package m\n"})
	if err := os.Remove(filepath.Join(dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := WriteSides(Options{Dir: dir, Base: "HEAD"}, to)
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nvar a = 1\n", "gone.go": "package m\n", ".gitignore": "*.log\n"}
	after := map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nvar a = 2\n", "sub/new.go": "package sub\n\nvar n = 1\n", "a_test.go": "package m\n", ".gitignore": "*.log\n"}
	if have := contents(t, s.Before); !maps.Equal(have, before) {
		t.Errorf("before: %q", have)
	}
	if have := contents(t, s.After); !maps.Equal(have, after) {
		t.Errorf("after: %q", have)
	}
	if !slices.Equal(s.Lines["a.go"], []Line{{Number: 3}}) || len(s.Lines["sub/new.go"]) == 0 || s.Lines["a_test.go"] != nil || s.Lines["gone.go"] != nil {
		t.Errorf("lines: %v", s.Lines)
	}
	now, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	if err != nil || string(now) != string(index) {
		t.Error("the index changed")
	}
	again, err := WriteSides(Options{Dir: dir, Base: "HEAD"}, to)
	if err != nil || again.After != s.After || again.Before != s.Before || again.Hash != s.Hash {
		t.Errorf("the same change has other folders: %+v and %+v, %v", s, again, err)
	}
}

// TestSidesOfDiff: the folder may hold either side.
func TestSidesOfDiff(t *testing.T) {
	t.Parallel()
	const diff = "--- a/a.go\n+++ b/a.go\n@@ -3 +3,2 @@\n-var a = 1\n+var a = 2\n+var b = 3\n"
	old := map[string]string{"a.go": "package m\n\nvar a = 1\n", "b.go": "package m\n"}
	fresh := map[string]string{"a.go": "package m\n\nvar a = 2\nvar b = 3\n", "b.go": "package m\n"}
	for name, files := range map[string]map[string]string{"before": old, "after": fresh} {
		dir := t.TempDir()
		written(t, dir, files)
		s, err := WriteSides(Options{Dir: dir, Diff: diff}, t.TempDir())
		if err != nil {
			t.Fatal(name, err)
		}
		if have := contents(t, s.Before); !maps.Equal(have, old) {
			t.Errorf("%s: before: %q", name, have)
		}
		if have := contents(t, s.After); !maps.Equal(have, fresh) {
			t.Errorf("%s: after: %q", name, have)
		}
		if !slices.Equal(s.Lines["a.go"], []Line{{Number: 3}, {Number: 4}}) {
			t.Errorf("%s: lines %v", name, s.Lines)
		}
	}
}

// TestSidesOfOddDiffs: renames and modes leave the text as it is. Removed lines have a place. A
// diff without lines, or one that names a file outside of the folder, is refused.
func TestSidesOfOddDiffs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{"a.go": "package m\n\nvar a = 1\nvar b = 2\n", "b.go": "package m\n"}
	written(t, dir, files)
	sides := func(diff string) (*Sides, error) { return WriteSides(Options{Dir: dir, Diff: diff}, t.TempDir()) }
	s, err := sides("diff --git a/b.go b/c.go\nsimilarity index 100%\nrename from b.go\nrename to c.go\n")
	if err != nil {
		t.Fatal(err)
	}
	if have := contents(t, s.After); have["c.go"] != "package m\n" || have["b.go"] != "" || have["a.go"] != files["a.go"] {
		t.Errorf("renamed: %q", have)
	}
	if s, err = sides("diff --git a/b.go b/b.go\nold mode 100644\nnew mode 100755\n"); err != nil || !maps.Equal(contents(t, s.After), files) {
		t.Errorf("mode: %v", err)
	}
	if s, err = sides("--- a/a.go\n+++ b/a.go\n@@ -3 +2,0 @@\n-var a = 1\n"); err != nil || !slices.Equal(s.Lines["a.go"], []Line{{3, true}}) {
		t.Errorf("removed: %v, %+v", err, s)
	}
	for diff, want := range map[string]string{
		"--- a/a.go\n+++ b/a.go\n@@ -3 +3 @@\n":                            "no lines for its hunks",
		"--- a/a.go\n+++ b/a.go\n@@ -3 +3 @@\n-var x = 1\n+var x = 2\n":    "does not fit",
		"--- /dev/null\n+++ b/../../out.go\n@@ -0,0 +1 @@\n+package out\n": "outside of the folder",
	} {
		if _, err := sides(diff); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", diff, err, want)
		}
	}
}

// TestSideIn finds the code of a side by the hash of its files, and no other. Damaged code is
// written again.
func TestSideIn(t *testing.T) {
	t.Parallel()
	dir, to := t.TempDir(), t.TempDir()
	written(t, dir, map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nvar a = 2\n"})
	diff := "--- a/a.go\n+++ b/a.go\n@@ -3 +3 @@\n-var a = 1\n+var a = 2\n"
	sides := func() *Sides {
		t.Helper()
		s, err := WriteSides(Options{Dir: dir, Diff: diff}, to)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	name := filepath.Base(sides().After)
	if found, err := SideIn(to, name); err != nil || found != filepath.Join(to, name) {
		t.Errorf("%s, %v", found, err)
	}
	for _, damage := range []map[string]string{{"a.go": "package m\n\nvar a = 3\n"}, {"more.go": "package m\n"}} {
		written(t, filepath.Join(to, name), damage)
		if _, err := SideIn(to, name); err == nil || !strings.Contains(err.Error(), "are not those that were written") {
			t.Errorf("%v: %v", damage, err)
		}
		if got := contents(t, sides().After); len(got) != 2 || got["a.go"] != "package m\n\nvar a = 2\n" {
			t.Errorf("after %v: %v", damage, got)
		}
	}
	for _, other := range []string{strings.Repeat("0", 32), "..", "", "../" + name, strings.ToUpper(name)} {
		if found, err := SideIn(to, other); err == nil {
			t.Errorf("%q is %s", other, found)
		}
	}
}

// TestOverlay: with the overlay a folder has the files of a side. Those apart stay, and what Git
// ignores.
func TestOverlay(t *testing.T) {
	t.Parallel()
	dir, side := t.TempDir(), t.TempDir()
	run(t, dir, "git", "init", "-q")
	written(t, dir, map[string]string{
		".gitignore": "made.go\n", "go.mod": "module m\n", "same.go": "package m\n", "lib/changed.go": "package lib\n\nvar a = 1\n", "lib/added.go": "package lib\n\nvar b = 1\n",
		"lib/made.go": "package lib\n\nvar c = 1\n", "adapter/a.go": "package adapter\n\nvar now = 1\n", "adapter/in/b.go": "package in\n\nvar now = 1\n", "note.txt": "now",
	})
	written(t, side, map[string]string{
		".gitignore": "made.go\n", "go.mod": "module m\n", "same.go": "package m\n", "lib/changed.go": "package lib\n\nvar a = 2\n", "lib/gone.go": "package lib\n\nvar d = 1\n",
		"adapter/a.go": "package adapter\n\nvar now = 2\n", "adapter/in/b.go": "package in\n\nvar now = 2\n",
	})
	got, err := Overlay(dir, side, []string{filepath.Join(dir, "adapter")})
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for name, text := range got {
		rest, err := filepath.Rel(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		have[filepath.ToSlash(rest)] = string(text)
	}
	sameFiles(t, "the overlay", have, map[string]string{
		"lib/changed.go": "package lib\n\nvar a = 2\n", "lib/added.go": "package lib\n", "lib/gone.go": "package lib\n\nvar d = 1\n", "adapter/in/b.go": "package in\n\nvar now = 2\n",
	})
}
