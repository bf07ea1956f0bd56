package changes

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/interaction/change"
)

// TestMarks: each changed line says what is known of it.
func TestMarks(t *testing.T) {
	t.Parallel()
	decl := func(kind, how string, line, last int) result.Declaration {
		return result.Declaration{Name: "f", Kind: kind, How: how, File: "a.go", Line: line, Last: last}
	}
	x := &Changed{Change: &result.Change{
		ChangeAnalysis: result.ChangeAnalysis{
			Trails:     []result.Trail{{Declaration: decl("method", "changed", 10, 20), Place: &result.Modelled{}}, {Declaration: decl("type", "changed", 50, 52), Place: &result.Modelled{}}},
			Unmodelled: []result.Unmodelled{{Declaration: decl("function", "added", 30, 34), Reason: "no grain models it"}, {Declaration: decl("function", "removed", 70, 72), Reason: "it is gone"}},
			Ignored:    []result.Ignored{{File: "a.go", Reason: "a comment"}, {File: "README.md", Reason: "a document"}},
		},
		Observed: &result.Observed{Places: []result.RanPlace{
			{File: "a.go", Line: 11, Kind: "line", True: true},
			{File: "a.go", Line: 12, Kind: "line", True: true}, {File: "a.go", Line: 12, Kind: "branch", Text: "x > 1", False: true},
			{File: "a.go", Line: 13, Kind: "line"}, {File: "a.go", Line: 31, Kind: "line", True: true}, {File: "a.go", Line: 32, Kind: "line"},
			{File: "a.go", Line: 16, Kind: "line", Same: true},
		}},
	}}
	for _, c := range []struct {
		file string
		line change.ShownLine
		want string
	}{
		{"a.go", change.ShownLine{Mark: '+', New: 11, Text: "y()"}, "ran "},
		{"a.go", change.ShownLine{Mark: '-', Old: 9, New: 11, Text: "z()"}, "ran "},
		{"a.go", change.ShownLine{Mark: '+', New: 12, Text: "if x > 1 {"}, "partly x > 1 was never true"},
		{"a.go", change.ShownLine{Mark: '+', New: 13, Text: "w()"}, "missed did not run"},
		{"a.go", change.ShownLine{Mark: '+', New: 16, Text: "v()"}, "quiet it did not run, and does all as before the change"},
		{"a.go", change.ShownLine{Mark: '+', New: 14, Text: "\t}"}, "quiet no code that runs"},
		{"a.go", change.ShownLine{Mark: '+', New: 15, Text: "// note"}, "quiet no code that runs"},
		{"a.go", change.ShownLine{Mark: '+', New: 10, Text: "func f() {"}, "unseen no statement is here whose run could be noted"},
		{"a.go", change.ShownLine{Mark: '+', New: 31, Text: "u()"}, "ran no grain models it"},
		{"a.go", change.ShownLine{Mark: '+', New: 32, Text: "u()"}, "missed did not run"},
		{"a.go", change.ShownLine{Mark: '-', Old: 71, New: 60, Text: "g()"}, "unmodelled it is gone"},
		{"a.go", change.ShownLine{Mark: '+', New: 51, Text: "n int"}, "unseen a type has no line that runs"},
		{"a.go", change.ShownLine{Mark: '+', New: 40, Text: "// far"}, "quiet a comment"},
		{"README.md", change.ShownLine{Mark: '+', New: 1, Text: "text"}, "quiet a document"},
	} {
		if mark, why := x.mark(c.file, c.line); mark+" "+why != c.want {
			t.Errorf("%c%d %s: %s %s, want %s", c.line.Mark, c.line.New, c.line.Text, mark, why, c.want)
		}
	}
	x.Observed = nil
	if mark, _ := x.mark("a.go", change.ShownLine{Mark: '+', New: 11, Text: "y()"}); mark != missed {
		t.Errorf("%s where nothing was run", mark)
	}
	if l := x.line("a.go", change.ShownLine{Mark: '+', New: 11, Text: strings.Repeat("é", 700) + "\xff"}); l.More != 201 || len([]rune(l.Text)) != longestLine {
		t.Errorf("%d characters, %d more", len([]rune(l.Text)), l.More)
	}
}
