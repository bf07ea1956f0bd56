package change

import (
	"fmt"
	"strings"
	"testing"
)

// shownText returns changed files as a text.
func shownText(t *testing.T, o Options) string {
	t.Helper()
	files, err := Show(o)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s > %s %s\n", f.Old, f.New, f.Note)
		for _, l := range f.Lines {
			fmt.Fprintf(&b, "%c%d,%d %s\n", l.Mark, l.Old, l.New, l.Text)
		}
	}
	return b.String()
}

// TestShow: a reader sees changed lines with those around them, with the folder on either side of
// the change, and without it as the diff has them.
func TestShow(t *testing.T) {
	t.Parallel()
	before := "package m\n\na\nb\nc\nd\ne\nf\ng\nh\ni\n"
	after := "package m\n\na\nb\nC\nd\ne\nf\ng\nh\ni\nj\n"
	diff := "--- a/a.txt\n+++ b/a.txt\n@@ -5 +5 @@\n-c\n+C\n@@ -11,0 +12 @@\n+j\n"
	want := "a.txt > a.txt \n 2,2 \n 3,3 a\n 4,4 b\n-5,5 c\n+0,5 C\n 6,6 d\n 7,7 e\n 8,8 f\n 9,9 g\n 10,10 h\n 11,11 i\n+0,12 j\n"
	for _, text := range []string{before, after} {
		dir := t.TempDir()
		written(t, dir, map[string]string{"a.txt": text})
		if got := shownText(t, Options{Dir: dir, Diff: diff}); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
	if got, want := shownText(t, Options{Diff: diff}), "a.txt > a.txt \n@0,0 \n-5,5 c\n+0,5 C\n@0,0 \n+0,12 j\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	bare := strings.NewReplacer("-c\n", "", "+C\n", "", "+j\n", "").Replace(diff)
	if got := shownText(t, Options{Diff: bare}); !strings.Contains(got, "the diff does not have its lines") {
		t.Error(got)
	}
}

// TestShowGaps: lines between changes that are far from each other are left out.
func TestShowGaps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var lines []string
	for k := range 40 {
		lines = append(lines, fmt.Sprint("line ", k+1))
	}
	written(t, dir, map[string]string{"a.txt": strings.Join(lines, "\n") + "\n"})
	diff := "--- a/a.txt\n+++ b/a.txt\n@@ -5,2 +4,0 @@\n-x\n-y\n@@ -32 +30 @@\n-z\n+line 30\n"
	got := shownText(t, Options{Dir: dir, Diff: diff})
	for _, want := range []string{" 4,4 line 4\n-5,5 x\n-6,5 y\n 7,5 line 5\n", " 9,7 line 7\n@0,0 \n 29,27 line 27\n", "-32,30 z\n+0,30 line 30\n", " 35,33 line 33\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "line 34") || strings.HasPrefix(got, "@") {
		t.Error(got)
	}
	if got := shownText(t, Options{Dir: dir, Diff: "diff --git a/b.txt b/b.txt\nold mode 100644\nnew mode 100755\n"}); !strings.Contains(got, "only its name or its mode") {
		t.Error(got)
	}
}
