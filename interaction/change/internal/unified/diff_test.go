package unified

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDiffAgainstGit makes files that differ in many ways, and lets Git compare them. The diff as
// it is read, applied forward and backward, must give the two texts, with context or without.
func TestDiffAgainstGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on the PATH")
	}
	text := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	var long []string
	for k := range 40 {
		long = append(long, fmt.Sprintf("line %d", k))
	}
	edit := func(at, gone int, come ...string) string {
		return text(append(append(append([]string{}, long[:at]...), come...), long[at+gone:]...)...)
	}
	for name, pair := range map[string][2]string{
		"changed":       {text(long...), edit(20, 1, "other")},
		"inserted":      {text(long...), edit(20, 0, "a", "b")},
		"removed":       {text(long...), edit(20, 3)},
		"first line":    {text(long...), edit(0, 1)},
		"last line":     {text(long...), edit(39, 1)},
		"before all":    {text(long...), edit(0, 0, "new")},
		"behind all":    {text(long...), edit(40, 0, "new")},
		"two places":    {text(long...), text(append(append([]string{"x"}, long[1:30]...), long[32:]...)...)},
		"dashes":        {text("a", "-- b", "c"), text("a", "++ b", "c")},
		"blank lines":   {text("a", "", "", "b"), text("a", "", "b", "")},
		"blank first":   {text("", "", "a", ""), text("", "", "b", "")},
		"looks like ++": {text("++ x", "y"), text("-- x", "y")},
	} {
		for _, context := range []string{"-U0", "-U3", "-U3 with empty lines"} {
			t.Run(name+context, func(t *testing.T) {
				dir := t.TempDir()
				for k, side := range []string{"a", "b"} {
					if err := os.WriteFile(filepath.Join(dir, side), []byte(pair[k]), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				context, empty := strings.CutSuffix(context, " with empty lines")
				cmd := exec.Command("git", "-c", fmt.Sprintf("diff.suppressBlankEmpty=%v", empty), "diff", "--no-index", context, "a", "b")
				cmd.Dir = dir
				out, _ := cmd.Output() // ends with 1 where there is a difference
				files, err := Parse(string(out))
				if err != nil || len(files) != 1 {
					t.Fatalf("%v, %d files\n%s", err, len(files), out)
				}
				if got, ok := Patch(pair[0], files[0].Hunks, false); !ok || got != pair[1] {
					t.Errorf("forward: %v\n%q, want\n%q\n%s", ok, got, pair[1], out)
				}
				if got, ok := Patch(pair[1], files[0].Hunks, true); !ok || got != pair[0] {
					t.Errorf("backward: %v\n%q, want\n%q\n%s", ok, got, pair[0], out)
				}
				if !IsBlob(pair[0], files[0].OldBlob) {
					t.Errorf("Git says the blob is %s", files[0].OldBlob)
				}
				lines := strings.Split(pair[0], "\n")
				for _, h := range files[0].Hunks {
					for _, r := range h.Runs() {
						k := 0
						for _, l := range r.Body {
							if l[0] == '-' {
								if at := r.Old.Start + k; lines[at-1] != l[1:] {
									t.Errorf("line %d of a is %q, the run says %q", at, lines[at-1], l[1:])
								}
								k++
							}
						}
						if k != r.Old.Lines {
							t.Errorf("the run has %d old lines and says %d", k, r.Old.Lines)
						}
					}
				}
			})
		}
	}
}

// TestHeadersOnly: a diff whose hunks have no bodies, in the forms of Git and of diff -u.
func TestHeadersOnly(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"diff --git a/x/A.java b/x/A.java\nindex 12ab..34cd 100644\n--- a/x/A.java\n+++ b/x/A.java\n@@ -1 +1,2 @@ class A\n@@ -9,0 +11 @@\ndiff --git a/B b/B\n--- a/B\n+++ b/B\n@@ -4,2 +5,0 @@\n",
		"# a comment\n--- a/x/A.java\n+++ b/x/A.java\n@@ -1 +1,2 @@\n@@ -9,0 +11 @@\n--- a/B\n+++ b/B\n@@ -4,2 +5,0 @@",
	} {
		files, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range files {
			got += f.Path()
			for _, h := range f.Hunks {
				got += fmt.Sprintf(" %v%v", h.Old, h.New)
			}
			got += "\n"
		}
		if want := "x/A.java {1 1}{1 2} {9 0}{11 1}\nB {4 2}{5 0}\n"; got != want {
			t.Errorf("read %q, want %q", got, want)
		}
	}
}

func TestBadDiffs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"nothing": "no changed file is named",
		"--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n-b":      "other numbers of lines than its header says",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n":  "other numbers of lines than its header says",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-c\n":  "other numbers of lines than its header says",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n c\n":  "other numbers of lines than its header says",
		"--- a/x\n+++ b/x\n@@ -2 +2 @@\n\n \n-a\n+b\n": "other numbers of lines than its header says",
		"--- a/x\n+++ b/x\n@@ hello @@\n":              "line 3: ",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n?b\n":      "the hunk ends before",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// FuzzParse reads texts that are hardly diffs. They are refused, or can be applied to any text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n b\n\\ No newline at end of file\n",
		"diff -ru v1 v2\nOnly in v1/p: x\n--- v1/y\t1970-01-01 00:00:00 +0000\n+++ v2/y\t2026-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+a\n",
		"diff --git \"a/\\303\\251\" \"b/\\303\\251\"\nold mode 100644\nnew mode 100755\n", "\x1b[1mdiff --git i/x w/x\x1b[m\r\n--- i/x\r\n+++ w/x\r\n@@ -0,0 +1 @@\r\n+a\r\n",
		"Submodule x 11..22:\n", "Binary files a/x and b/x differ\n", "--- \n+++ \n", "@@@ -1 -1 +1 @@@\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		files, err := Parse(text)
		if err != nil {
			return
		}
		for _, x := range files {
			if x.Path() == "" {
				t.Errorf("a file has no name in %q", text)
			}
			for k := range x.Hunks {
				x.Hunks[k].Runs()
			}
			for _, reverse := range []bool{false, true} {
				Patch("a\nb\r\nc", x.Hunks, reverse)
				Patch("", x.Hunks, reverse)
			}
		}
	})
}
