package change

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// gitDiff returns what Git prints for a file with two texts, with the names of the objects.
func gitDiff(t *testing.T, context, name, before, after string) string {
	t.Helper()
	dir := t.TempDir()
	written(t, dir, map[string]string{"a/" + name: before, "b/" + name: after})
	return run(t, dir, "git", "diff", "--no-index", "--no-prefix", context, "a/"+name, "b/"+name)
}

// run runs a program that may end with 1, as programs that compare do. Without it the test is
// skipped.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not on the PATH", name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "TZ=Asia/Tokyo", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

var (
	oldFiles = map[string]string{
		"go.mod": "module m\n", "a.go": "package m\n\nvar a = 1\n\nvar b = 2\n", "win.go": "package m\r\n\r\nvar w = 1\r\n", "bare.go": "package m\n\nvar n = 1",
		"gone.go": "package m\n\nvar g = 1\n", "old/name.go": "package old\n\nvar x = 1\n\nvar y = 2\n\nvar z = 3\n", "b b/é.go": "package b\n\nvar s = 1\n", "data.bin": "\x00\x01",
		"empty.txt": "",
	}
	newFiles = map[string]string{
		"go.mod": "module m\n", "a.go": "package m\n\nvar a = 2\n\nvar b = 2\n\nvar c = 3\n", "win.go": "package m\r\n\r\nvar w = 2\r\n", "bare.go": "package m\n\nvar n = 2",
		"come.go": "package m\n\nvar g = 7\n", "new/name.go": "package old\n\nvar x = 1\n\nvar y = 2\n\nvar z = 4\n", "b b/é.go": "package b\n\nvar s = 2\n", "data.bin": "\x00\x02",
		"empty.txt": "", "fresh.txt": "",
	}
)

// history is a repository with the old files in one commit, and the new ones in the next.
func history(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q", "-b", "main")
	run(t, dir, "git", "config", "core.autocrlf", "false")
	for _, files := range []map[string]string{oldFiles, newFiles} {
		run(t, dir, "git", "rm", "-rqf", "--ignore-unmatch", ".")
		written(t, dir, files)
		run(t, dir, "git", "add", "-A")
		run(t, dir, "git", "commit", "-qm", "a change\n\n--- quoted\n+++ quoted\n@@ -1 +1 @@\n-a\n+b")
	}
	return dir
}

// TestSidesOfForms: each form in which Git prints a change gives both sides, with the folder on
// either of them.
func TestSidesOfForms(t *testing.T) {
	t.Parallel()
	dir := history(t)
	forms := map[string]string{}
	for name, args := range map[string][]string{
		"plain":      {"diff", "HEAD^", "HEAD"},
		"bare":       {"diff", "-U0", "HEAD^", "HEAD"},
		"no prefix":  {"-c", "diff.noprefix=true", "diff", "HEAD^", "HEAD"},
		"mnemonic":   {"-c", "diff.mnemonicPrefix=true", "diff", "HEAD^"},
		"own prefix": {"diff", "--src-prefix=x/old/", "--dst-prefix=x/new/", "HEAD^", "HEAD"},
		"one prefix": {"diff", "--src-prefix=x/", "--dst-prefix=x/", "HEAD^", "HEAD"},
		"no renames": {"diff", "--no-renames", "HEAD^", "HEAD"},
		"copies":     {"diff", "-C", "--find-copies-harder", "-M30%", "HEAD^", "HEAD"},
		"coloured":   {"diff", "--color=always", "HEAD^", "HEAD"},
		"quoted":     {"-c", "core.quotePath=true", "diff", "HEAD^", "HEAD"},
		"mail":       {"format-patch", "--stdout", "-1", "HEAD"},
		"show":       {"show", "--format=fuller", "--stat", "-p", "HEAD"},
		"full":       {"diff", "--full-index", "--binary", "HEAD^", "HEAD"},
	} {
		forms[name] = run(t, dir, "git", args...)
	}
	forms["byte order mark"] = "\xef\xbb\xbf" + forms["plain"]
	forms["carriage returns"] = strings.ReplaceAll(strings.ReplaceAll(forms["plain"], "\r\n", "\n"), "\n", "\r\n")
	for name, diff := range forms {
		for _, files := range []map[string]string{oldFiles, newFiles} {
			for _, inGit := range []bool{true, false} {
				folder := t.TempDir()
				if inGit {
					run(t, dir, "git", "worktree", "add", "-q", "--detach", filepath.Join(folder, "x"), map[bool]string{true: "HEAD^", false: "HEAD"}[files["gone.go"] != ""])
					folder = filepath.Join(folder, "x")
				} else {
					written(t, folder, files)
				}
				s, err := WriteSides(Options{Dir: folder, Diff: diff}, t.TempDir())
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				sameFiles(t, name+", before", contents(t, s.Before), oldFiles)
				sameFiles(t, name+", after", contents(t, s.After), newFiles)
				if s.Lines["a.go"] == nil || s.Lines["come.go"] == nil {
					t.Errorf("%s: lines %v", name, s.Lines)
				}
			}
		}
	}
}

func sameFiles(t *testing.T, name string, have, want map[string]string) {
	t.Helper()
	for _, files := range []map[string]string{have, want} {
		delete(files, ".git")
	}
	have, want = maps.Clone(have), maps.Clone(want)
	delete(have, "data.bin") // its bytes need not be in the diff
	delete(want, "data.bin")
	if maps.Equal(have, want) {
		return
	}
	for k := range want {
		if have[k] != want[k] {
			t.Errorf("%s: %s is %q, want %q", name, k, have[k], want[k])
		}
	}
	for k := range have {
		if _, ok := want[k]; !ok {
			t.Errorf("%s: %s is there", name, k)
		}
	}
}

// TestSidesOfDiffR: the same with diff -ru, which has dates, folders and files that are on one side
// only.
func TestSidesOfDiffR(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	written(t, filepath.Join(top, "v1/src"), oldFiles)
	written(t, filepath.Join(top, "v2/src"), newFiles)
	for _, pair := range [][2]string{{"v1/src", "v2/src"}, {filepath.Join(top, "v1/src"), filepath.Join(top, "v2/src")}, {"v1", "v2"}} {
		diff := run(t, top, "diff", "-ruN", pair[0], pair[1])
		folder := filepath.Join(top, "v1/src")
		s, err := WriteSides(Options{Dir: folder, Diff: diff}, t.TempDir())
		if err != nil {
			t.Errorf("%v: %v", pair, err)
			continue
		}
		after := maps.Clone(newFiles)
		delete(after, "fresh.txt") // an empty file has no lines
		sameFiles(t, pair[0], contents(t, s.After), after)
	}
	half := run(t, top, "diff", "-ru", "v1/src", "v2/src")
	if _, err := WriteSides(Options{Dir: filepath.Join(top, "v1/src"), Diff: half}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "diff -ruN") {
		t.Errorf("a diff without the lines of new files makes the sides: %v", err)
	}
	files, err := unified.Parse(run(t, top, "diff", "-ru", "v1/src", "v2/src"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range files {
		got[f.Path()] = string(howOf(f))
	}
	if got["src/gone.go"] != "removed" || got["src/come.go"] != "added" || got["src/data.bin"] != "changed" || got["src/a.go"] != "changed" {
		t.Errorf("diff -ru names %v", got)
	}
}

// TestRefusedForms: what is no unified diff of one change is refused with the reason.
func TestRefusedForms(t *testing.T) {
	t.Parallel()
	dir := history(t)
	run(t, dir, "git", "checkout", "-q", "-b", "side", "HEAD^")
	written(t, dir, map[string]string{"a.go": "package m\n\nvar a = 9\n\nvar b = 2\n"})
	run(t, dir, "git", "commit", "-qam", "side")
	run(t, dir, "git", "merge", "-q", "main") // it conflicts
	written(t, dir, map[string]string{"a.go": "package m\n\nvar a = 5\n\nvar b = 2\n"})
	run(t, dir, "git", "add", "-A")
	run(t, dir, "git", "commit", "-qm", "merge")
	run(t, dir, "git", "checkout", "-q", "main")
	written(t, dir, map[string]string{"a.go": "package m\n\nvar a = 6\n"})
	run(t, dir, "git", "commit", "-qam", "once more")
	for name, c := range map[string]struct{ diff, want string }{
		"merge":   {run(t, dir, "git", "show", "side"), "combined diff of a merge"},
		"words":   {run(t, dir, "git", "diff", "--word-diff", "HEAD^", "HEAD"), "a diff by words"},
		"marks":   {run(t, dir, "git", "diff", "--output-indicator-new=>", "--output-indicator-old=<", "-U0", "HEAD^", "HEAD"), "with other marks"},
		"series":  {run(t, dir, "git", "format-patch", "--stdout", "HEAD~2"), "a series of changes"},
		"context": {run(t, dir, "diff", "-c", "go.mod", "a.go"), "no changed file is named"},
		"UTF-16":  {"\xff\xfed\x00", "UTF-16"},
		"mail":    {"From 12 Mon Sep 17 00:00:00 2001\nContent-Transfer-Encoding: base64\n\nZGlm\n", "decode it first"},
	} {
		if _, err := unified.Parse(c.diff); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q\n%s", name, err, c.want, c.diff)
		}
	}
}

// TestSpecialFiles: modes change nothing, and submodules, links and binary files are named.
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ diff, want string }{
		"mode":       {"diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n", "~"},
		"submodule":  {"diff --git a/lib b/lib\nindex 1111111..2222222 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n", "!lib"},
		"its log":    {"Submodule lib 1111111..2222222:\n  > a change\n", "!lib"},
		"a link":     {"diff --git a/l.java b/l.java\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/l.java\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n", "!l.java"},
		"binary":     {"diff --git a/x.jar b/x.jar\nindex 1..2 100644\nBinary files a/x.jar and b/x.jar differ\n", "!x.jar"},
		"of diff -r": {"diff -r v1 v2\nBinary files v1/x.jar and v2/x.jar differ\nOnly in v1/sub: A.java\n", "!x.jar"},
		"renamed":    {"diff --git a/p/X.java b/q/X.java\nsimilarity index 100%\nrename from p/X.java\nrename to q/X.java\n", "!q/X.java"},
	} {
		o := quietOptions(t)
		o.Diff = c.diff
		a, err := Analyse(o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := summary(a); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestThirdCommit: on a commit that is no side of the change, the texts come from Git. What changes
// nothing is seen; the code of the sides is refused, since the rest of it is not there.
func TestThirdCommit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q", "-b", "main")
	for _, text := range []string{javaFile, strings.Replace(javaFile, "of one round", "of a round", 1), "class Votes {}\n"} {
		written(t, dir, map[string]string{"src/A.java": "class A {}\n", "Votes.java": text})
		run(t, dir, "git", "add", "-A")
		run(t, dir, "git", "commit", "-qm", "x")
	}
	for _, context := range []string{"-U0", "-U3"} {
		o := quietOptions(t)
		o.Dir, o.Diff = dir, run(t, dir, "git", "diff", context, "HEAD~2", "HEAD~1")
		a, err := Analyse(o)
		if err != nil || summary(a) != "~" {
			t.Errorf("%v, %+v", err, a)
		}
		if _, err := WriteSides(o, t.TempDir()); err == nil || !strings.Contains(err.Error(), "neither side of the change") {
			t.Errorf("the sides are made: %v", err)
		}
	}
}
