package text_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/diagnostics"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
)

// The colours of the frame; its text is in the scripts.
func TestColours(t *testing.T) {
	t.Parallel()
	src := []byte("module \"election\" {\n  grain = \"corse\"\n}\n")
	at := hcl.Range{Filename: "a.hcl", Start: hcl.Pos{Line: 2, Column: 11, Byte: 29}, End: hcl.Pos{Line: 2, Column: 18, Byte: 36}}
	d := configs.Errorf("MG103", "Unknown grain", at, "Module %q has no grain %q.", "election", "corse")
	configs.WithRelated(d, hcl.Range{Filename: "b.hcl", Start: hcl.Pos{Line: 4, Column: 1}}, "declared here")
	doc := diagnostics.All(hcl.Diagnostics{d}, map[string]*hcl.File{"a.hcl": {Bytes: src}})[0]
	r := text.Diagnostics{Paint: true}
	want := "\x1b[1;31mError:\x1b[0m \x1b[1mUnknown grain\x1b[0m [MG103]\n" +
		"  on a.hcl line 2:\n" +
		"   2:   grain = \x1b[4m\"corse\"\x1b[0m\n" +
		"Module \"election\" has no grain \"corse\".\n" +
		"\x1b[2m  related: b.hcl:4: \x1b[0mdeclared here\n"
	if got := onTerminal(r.Diagnostic(&doc)); got != want {
		t.Errorf("the text differs:\n%s", quotedDiff(want, got))
	}
}

// onTerminal returns a text as it reaches a terminal.
func onTerminal(text string) string {
	var out strings.Builder
	w := terminal.Writer{To: &out}
	io.WriteString(&w, text)
	return out.String()
}

// quotedDiff shows in which lines two texts differ, with control characters as escapes.
func quotedDiff(want, got string) string {
	quoted := func(text string) string {
		var b strings.Builder
		for line := range strings.Lines(text) {
			fmt.Fprintf(&b, "%q\n", line)
		}
		return b.String()
	}
	return udiff.Unified("want", "got", quoted(want), quoted(got))
}

// Excerpts of ranges that other tools leave behind: none may bring the renderer down.
func TestOddRanges(t *testing.T) {
	t.Parallel()
	src := "a\tb\x1b[31m\r\nc\xff\nd\ne\nf\ng\nh\n"
	sources := map[string]*hcl.File{"a.hcl": {Bytes: []byte(src)}}
	r := text.Diagnostics{Paint: true}
	pos := func(line, column int) hcl.Pos { return hcl.Pos{Line: line, Column: column} }
	for _, c := range []struct {
		name       string
		start, end hcl.Pos
		want       string
	}{
		{"control characters", pos(1, 1), pos(1, 1), "  on a.hcl line 1:\n   1: a    b\uFFFD[31m\n"},
		{"bytes", pos(2, 2), pos(2, 2), "  on a.hcl line 2:\n   2: c\uFFFD\n"},
		{"many lines", pos(3, 1), pos(9, 1), "  on a.hcl line 3:\n" +
			"   3: \x1b[4md\x1b[0m\n   4: \x1b[4me\x1b[0m\n   5: \x1b[4mf\x1b[0m\n   6: \x1b[4mg\x1b[0m\n      ...\n"},
		{"no end", pos(3, 1), hcl.Pos{}, "  on a.hcl line 3:\n   3: \x1b[4md\x1b[0m\n"},
		{"behind the file", pos(99, 1), pos(99, 2), "  on a.hcl line 99\n"},
		{"no place", hcl.Pos{}, hcl.Pos{}, "  on a.hcl\n"},
	} {
		d := configs.Errorf("MG001", "x", hcl.Range{Filename: "a.hcl", Start: c.start, End: c.end}, "")
		const head = "\x1b[1;31mError:\x1b[0m \x1b[1mx\x1b[0m [MG001]\n"
		doc := diagnostics.All(hcl.Diagnostics{d}, sources)[0]
		if got := onTerminal(r.Diagnostic(&doc)); got != head+c.want {
			t.Errorf("%s:\n%s", c.name, quotedDiff(head+c.want, got))
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{words.Count(0), "0"}, {words.Count(999), "999"}, {words.Count(-1000), "-1,000"}, {words.Count(17600000), "17,600,000"},
		{words.Plural(1, "state"), "1 state"}, {words.Plural(0, "state"), "0 states"}, {words.Plural(2, "query"), "2 queries"},
		{words.Size(0), "0 B"}, {words.Size(1023), "1023 B"}, {words.Size(1536), "1.5 KiB"}, {words.Size(200 << 20), "200 MiB"},
		{words.Rate(10, 0), "-"}, {words.Rate(855_000, 1), "855 k/s"}, {words.Rate(5_100_000, 1), "5.1 M/s"}, {words.Rate(5, 2), "2/s"},
		{words.Elapsed(0.0012), "0.0012 s"}, {words.Elapsed(12.345), "12.35 s"}, {words.Elapsed(125), "2 min 05 s"}, {words.Elapsed(7260), "2 h 01 min"},
		{shell.Bar(0, 0), "[................]"}, {shell.Bar(50, 100), "[########........]"}, {shell.Bar(100, 100), "[################]"}, {shell.Bar(-3, 9), "[................]"},
		{text.Wrap("aa bb cc", 5), "aa bb\ncc"}, {text.Wrap("aa\n  bb   cc", 5), "aa\n  bb   cc"}, {text.Wrap("", 5), ""}, {text.Wrap("toolong a", 3), "toolong\na"},
		{words.Sentence("seq is full"), "Seq is full."}, {words.Sentence("open /x: no such file or directory"), "open /x: no such file or directory."},
		{words.Sentence("/x/y is a folder"), "/x/y is a folder."}, {words.Sentence("exit status 1"), "Exit status 1."}, {words.Sentence("go.mod file not found"), "go.mod file not found."},
		{words.Sentence("runtime error: index out of range [7]"), "runtime error: index out of range [7]."}, {words.Sentence(""), ""}, {words.FileName("I-14.npe/ä"), "I-14.npe__"},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
}

func TestParseSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"1": 1, "500M": 500e6, "12GiB": 12 << 30, "1.5g": 1.5e9, "4 kib": 4096, "2TB": 2e12,
		"": 0, "0": 0, "-1G": 0, "GiB": 0, "1e30": 0, "12parsecs": 0, "NaN": 0, "0x10": 0,
	} {
		got, err := words.ParseSize(text)
		if want != 0 && (got != want || err != nil) || want == 0 && err == nil {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestQueued(t *testing.T) {
	t.Parallel()
	seq := func(elems ...string) *modules.View {
		v := &modules.View{Shape: modules.Sequence}
		for _, e := range elems {
			v.Elems = append(v.Elems, modules.View{Shape: modules.Record, Names: []string{"k"}, Elems: []modules.View{{Text: e}}})
		}
		return v
	}
	numbers := func(texts ...string) *modules.View {
		v := &modules.View{Shape: modules.Sequence}
		for _, t := range texts {
			v.Elems = append(v.Elems, modules.View{Text: t})
		}
		return v
	}
	for _, c := range []struct {
		old, now *modules.View
		want     string
	}{
		{seq(), seq("a", "b"), "added {k: a}, {k: b}; 0 before, 2 now"},
		{seq("a", "b"), seq("b"), "removed {k: a}; 2 before, 1 now"},
		{seq("a", "b"), seq(), "removed {k: a}, {k: b}; 2 before, 0 now"},
		{seq("a", "b"), seq("b", "b"), "removed {k: a}, added {k: b}; 2 before, 2 now"},
		{seq("a", "a"), seq("a", "a", "a"), "added {k: a}; 2 before, 3 now"},
		{seq("a", "b"), seq("c", "d"), ""},
		{seq("a", "b", "c"), seq("a", "c"), ""},
		{numbers("1", "2"), numbers("2"), ""},
		{nil, seq("a"), ""},
		{&modules.View{Text: "1"}, seq("a"), ""},
	} {
		if got := narrate.Queued(itf.Change{Path: "q", Old: c.old, New: c.now}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestFlow: lines are filled, and what is indented, a long word and a command stay whole.
func TestFlow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text          string
		indent, width int
		want          string
	}{
		{"one two\nthree", 0, 40, "one two three\n"},
		{"one\n\ntwo", 2, 40, "  one\n\n  two\n"},
		{"code:\n    a  b\nmore\nwords", 1, 40, " code:\n     a  b\n more words\n"},
		{"a word that is long and stays whole: " + strings.Repeat("x", 50), 0, 40, "a word that is long and stays whole:\n" + strings.Repeat("x", 50) + "\n"},
		{"so then say multigrain check FILE -seed 3.", 0, 34, "so then say\nmultigrain check FILE -seed 3.\n"},
		{"all that multigrain check does it does for each file", 0, 30, "all that multigrain check does\nit does for each file\n"},
	} {
		if got := text.Flow(c.text, c.indent, c.width); got != c.want {
			t.Errorf("%q in %d columns: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// TestFit checks that sentences and rows of tables are broken where a terminal is narrow, and that
// commands are not.
func TestFit(t *testing.T) {
	t.Parallel()
	red := terminal.Styled("31", "broken")
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"one two three four", 0, "one two three four"},
		{"one two three four", 18, "one two three four"},
		{"one two three four", 9, "one two\n  three\n  four"},
		{"  one two three\nfour", 9, "  one two\n    three\nfour"},
		{"action   module    enabled  fired", 12, "action\n  module\n  enabled\n  fired"},
		{"  History    the follower copies it from here  (zab/a.go:22)", 40, "  History    the follower copies it from\n             here  (zab/a.go:22)"},
		{"  History    " + red + " from here to the next server  (zab/a.go:22)", 40, "  History    " + red + " from here to the\n             next server  (zab/a.go:22)"},
		{"  History    short   this cell of a table has too little room", 40, "  History    short\n             this cell of a table has\n             too little room"},
		{"  variable  one  second\n  A         .    rw\n  B         rw   w\n  Cc        w\nend", 20,
			"  variable  one\n  A         .\n  B         rw\n  Cc        w\n  variable  second\n  A         rw\n  B         w\nend"},
		{"  a    " + red + "  12\n  bcd  2       3", 14, "  a    " + red + "\n  bcd  2\n  a    12\n  bcd  3"},
		{"  A    one two three four five six seven\n  Bcd  two", 34, "  A    one two three four five six\n       seven\n  Bcd  two"},
		{"a name  a-path/that-is/longer/than-all", 20, "a name\n  a-path/that-is/longer/than-all"},
		{"name     multigrain check a.hcl", 26, "name\n  multigrain check a.hcl"},
		{"  multigrain check a.hcl -finer", 12, "  multigrain check a.hcl -finer"},
		{"see multigrain check a.hcl -finer now", 12, "see\n  multigrain check a.hcl -finer\n  now"},
		{red + " at level L2", 12, red + " at\n  level L2"}, // styles take no columns
		{"a-word-that-is-long", 8, "a-word-that-is-long"},
		{"", 8, ""},
	} {
		if got := text.Fit(c.text, c.width); got != c.want {
			t.Errorf("%q in %d columns is\n%s\nwant\n%s", c.text, c.width, got, c.want)
		}
	}
}

// TestNodePlan: a heading without lines is not printed.
func TestNodePlan(t *testing.T) {
	const heading = "only for running next to a node:"
	if got := text.NodePlan(&result.NodePlan{}); strings.Contains(got, heading) {
		t.Errorf("a heading of nothing:\n%s", got)
	}
	some := &result.NodePlan{Remains: []result.Remainder{{Kind: "action", Name: "Propose", Why: "clients are outside"}}}
	if got := text.NodePlan(some); !strings.Contains(got, heading+"\n    action Propose: clients are outside\n") {
		t.Errorf("the heading is missing:\n%s", got)
	}
}
