package text

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Tests returns the table of results.
func Tests(tests []result.Test, paint Painter) string {
	t := Table{right: map[int]bool{3: true}}
	t.Row("manifest", "expected", "found", "time", "")
	failed := int64(0)
	ok, fail := verdicts.Find("test", verdicts.AsExpected, ""), verdicts.Find("test", verdicts.Differs, "")
	for _, x := range tests {
		mark := paint.tone(ok.Tone, ok.Head)
		if !x.OK {
			failed++
			mark = paint.tone(fail.Tone, fail.Head)
		}
		t.Row(x.Manifest, x.Expected, x.Found, words.Elapsed(x.Seconds), mark)
	}
	var b strings.Builder
	b.WriteString(t.Text())
	for _, x := range tests {
		for _, d := range x.Differences {
			fmt.Fprintf(&b, "%s: %s\n", x.Manifest, d)
		}
	}
	for _, x := range tests {
		b.WriteString(holdsWithin(x.Manifest, x.Result))
	}
	fmt.Fprintf(&b, "%s, %d as expected, %d not\n", words.Plural(int64(len(tests)), "manifest"), int64(len(tests))-failed, failed)
	return b.String()
}

// Diff shows in what two results differ.
func Diff(d *result.Diff, paint Painter) string {
	var b strings.Builder
	row := verdicts.Find("diff", d.Verdict, "")
	b.WriteString(row.Line(paint.tone, "a", d.A, "b", d.B) + "\n")
	group := ""
	rows := Table{Indent: "  "}
	flush := func() {
		b.WriteString(rows.Text())
		rows = Table{Indent: "  "}
	}
	for _, l := range d.Lines {
		if l.Group != group {
			flush()
			group = l.Group
			b.WriteString("\n" + group + "\n")
		}
		rows.Row(l.Name, orNone(l.A), "->", orNone(l.B))
	}
	flush()
	return b.String()
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
