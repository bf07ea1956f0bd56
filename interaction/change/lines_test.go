package change

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// small is a table of one file of 40 lines: a class from 5 to 38 with two methods, and a class
// within it.
const small = "version\t1\nfile\tsrc/A.java\tabcdef\t40\nclass\tp.A\t5\t38\nmethod\tp.A.f\t8\t12\nmethod\tp.A.g\t14\t20\n" +
	"class\tp.A.B\t22\t36\nmethod\tp.A.B.f\t24\t30\nignore\tsrc/test/**\n"

// TestLines compares changed lines with the table.
func TestLines(t *testing.T) {
	t.Parallel()
	cat := &grains.Catalog{Grains: []grains.GrainDecl{
		{Name: "baseline", Covers: []string{"m"}, Models: []string{"p.A.f"}},
		{Name: "coarse", Covers: []string{"m"}, Models: []string{"p.A.g"}, Coarsens: true},
		{Name: "baseline", Covers: []string{"n"}, Models: []string{"p.A.B.f"}},
	}}
	for _, c := range []struct{ hunks, want string }{
		{"@@ -8 +8 @@", "p.A.f"},
		{"@@ -12 +12 @@", "p.A.f"},
		{"@@ -7,2 +7,2 @@", "p.A.f !p.A"},
		{"@@ -13 +13 @@", "!p.A"},
		{"@@ -10,0 +11,3 @@", "p.A.f"},
		{"@@ -12,0 +13,3 @@", "!p.A"}, // after the last line of f
		{"@@ -7,0 +8 @@", "!p.A"},     // before its first
		{"@@ -15 +15 @@", "!p.A.g"},   // only a coarse grain models g
		{"@@ -25,2 +25,0 @@", "p.A.B.f"},
		{"@@ -12,13 +12 @@", "p.A.f p.A.B.f !p.A !p.A.g !p.A.B"},
		{"@@ -2,0 +3 @@", "~"},                // an import
		{"@@ -2 +2 @@", "!src/A.java"},        // an import is replaced
		{"@@ -40,0 +41,9 @@", "~"},            // after everything
		{"@@ -38,0 +39 @@", "~"},              // after the class
		{"@@ -37,0 +38 @@", "!p.A"},           // its last line but one
		{"@@ -10 +10 @@\n- x\n+ \n", "p.A.f"}, // code goes
		{"@@ -10 +10 @@\n-  // x\n+\t//y\n", "~"},
	} {
		for _, index := range []string{"index abcd..1234\n", ""} {
			table, err := ParseTable(small)
			if err != nil {
				t.Fatal(err)
			}
			a, err := Analyse(Options{Diff: "diff --git a/src/A.java b/src/A.java\n" + index + "--- a/src/A.java\n+++ b/src/A.java\n" + c.hunks + "\n",
				Table: table, Places: NewPlaces(cat, nil)})
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(a); got != c.want {
				t.Errorf("%s: %s, want %s", c.hunks, got, c.want)
			}
			if (len(a.Doubts) == 0) != (index != "" || strings.Contains(c.hunks, "//")) {
				t.Errorf("%s, %q: doubts %v", c.hunks, index, a.Doubts)
			}
			if len(a.Missing) != 0 {
				t.Errorf("missing %v", a.Missing)
			}
		}
	}
}

// summary returns what an analysis found: modelled declarations, then with ! those that are not, ~
// for something without effect.
func summary(a *Analysis) string {
	var out []string
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, x := range a.Trails {
		add(x.Declaration.Name)
	}
	for _, x := range a.Unmodelled {
		add("!" + x.Name)
	}
	for range a.Ignored {
		add("~")
	}
	return strings.Join(out, " ")
}

func TestFilesWithoutLines(t *testing.T) {
	t.Parallel()
	table, err := ParseTable(small)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Analyse(Options{Table: table, Ignore: []string{"**/*.properties"}, Places: NewPlaces(&grains.Catalog{}, nil), Diff: "" +
		"--- a/src/test/A.java\n+++ b/src/test/A.java\n@@ -1 +1 @@\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n" +
		"--- a/x/y.properties\n+++ b/x/y.properties\n@@ -1 +1 @@\n--- /dev/null\n+++ b/src/C.java\n@@ -0,0 +1,9 @@\n"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := summary(a), "!src/C.java ~"; got != want || len(a.Ignored) != 3 {
		t.Errorf("%s, %d ignored, want %s, 3", got, len(a.Ignored), want)
	}
}

func TestBadTables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "the table names no file",
		"method\ta\t1\t2":                        "stands before the first file",
		"file\ta":                                "has 4 words with tabs between, and not 2",
		"file\ta\tb":                             "a b has no number of lines, and no version above has it",
		"calls\ta.B.c":                           "calls stands before the first method",
		"file\ta\tb\t9\nmethod\t.c\t5\t6":        "method .c belongs to a class",
		"file\ta\tb\t9\nclass\tA\t1\t9\nover\tx": "over stands before the first method",
		"file\ta\tb\t9\nmethod\tc\t5":            "a line with method has 4 words",
		"file\ta\tb\t9\nfile\ta\tb\nfield\tx\t1\t1": "after one without a number of lines",
		"hello\ta":                          `"hello" is none of`,
		"file\ta\tb\t9\nmethod\tc\t5\t10":   "5 to 10 are no lines of a",
		"file\ta\tb\t9\nmethod\tc\t5\t4":    "5 to 4 are no lines of a",
		"file\ta\tb\tmany":                  `"many" is no number`,
		"version\t1\n\nfile\ta\tb\t9\nx\ty": "line 4: ",
	} {
		if _, err := ParseTable(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// TestUnshift goes through all lines of random-looking edits and compares with the lines that did
// not change.
func TestUnshift(t *testing.T) {
	t.Parallel()
	hunks := []unified.Hunk{{Old: unified.Span{Start: 3, Lines: 0}, New: unified.Span{Start: 4, Lines: 2}}, {Old: unified.Span{Start: 6, Lines: 2}, New: unified.Span{Start: 9, Lines: 1}}, {Old: unified.Span{Start: 10, Lines: 1}, New: unified.Span{Start: 11, Lines: 0}}}
	// Old lines 1 to 12 become: 1 2 3 + + 4 5 [6 7 -> x] 8 9 [10 gone] 11 12. By hand:
	want := map[int]int{1: 1, 2: 2, 3: 3, 6: 4, 7: 5, 9 + 1: 8, 11: 9, 12: 11, 13: 12}
	hunks[1].New.Start = 8
	want[9], want[10], want[11], want[12] = 8, 9, 11, 12
	delete(want, 13)
	hunks[2].New.Start = 10
	for line, old := range want {
		if got := unshift(hunks, unified.Span{Start: line, Lines: 1}); got != (unified.Span{Start: old, Lines: 1}) {
			t.Errorf("line %d was %v, want line %d", line, got, old)
		}
	}
	if got := unshift(hunks, unified.Span{Start: 8, Lines: 1}); got != (unified.Span{Start: 6, Lines: 2}) {
		t.Errorf("the replaced line was %v, want lines 6 and 7", got)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after string
		same          bool
	}{
		{"a = b;", "a=b ; // why", true},
		{"/* x\n y */ f(1)", "f(\n1\n)", true},
		{"s = \"// no\";", "s = \"// yes\";", false},
		{"c = '\"'; // x", "c = '\"'; /* y */", true},
		{"ab", "a b", false},
		{"x = \"\"\"\n a // b\n\"\"\";", "x = \"\"\"\n a\n\"\"\";", false},
		{"a / b", "a // b", false},
	} {
		before, after := lex("A.java", c.before, inCode).tokens, lex("A.java", c.after, inCode).tokens
		all := unified.Span{Start: 1, Lines: 9}
		if got := slices.Equal(tokensIn(before, all), tokensIn(after, all)); got != c.same {
			t.Errorf("%q and %q: same %v, want %v", c.before, c.after, got, c.same)
		}
	}
}

// TestShippedTable checks that the table of ZooKeeper 3.9.1 has every function that the grains of
// zab model, and that the pull requests change lines of that version.
func TestShippedTable(t *testing.T) {
	t.Parallel()
	const folder = "../../configs/zab/changes/"
	text, err := os.ReadFile(folder + "zookeeper.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all, err := ParseTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	table := all.Of("3.9.1")
	sources, err := filepath.Glob("../../zab/*.go")
	if err != nil {
		t.Fatal(err)
	}
	methods := map[string]bool{}
	for _, f := range table.Files {
		for _, r := range f.Rows {
			methods[r.Name] = !r.Class
		}
	}
	named := 0
	for _, source := range sources {
		code, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(code), `"`) {
			if strings.HasPrefix(part, "org.apache.zookeeper.") {
				named++
				if !methods[part] {
					t.Errorf("%s names %s, which the table does not have", source, part)
				}
			}
		}
	}
	if named < 40 {
		t.Errorf("the grains of zab name only %d functions", named)
	}
	for _, pr := range []string{"1848", "1993"} {
		diff, err := os.ReadFile(fmt.Sprintf("%spr-%s.diff", folder, pr))
		if err != nil {
			t.Fatal(err)
		}
		files, err := unified.Parse(string(diff))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if entry := table.File(f.Old); entry != nil && entry.Blob != f.OldBlob {
				t.Errorf("pull request %s: %s is not the file of the table", pr, f.Old)
			}
			for _, h := range f.Hunks {
				if h.Body != nil {
					t.Errorf("pull request %s: %s has lines of code", pr, f.Old)
				}
			}
		}
	}
}
