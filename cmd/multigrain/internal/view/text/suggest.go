package text

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Suggestions returns the advice for people: what may go, and for each variable that may not the
// first link of the chain that keeps it.
func Suggestions(docs []result.Suggestion, targets []string, paint Painter) string {
	if len(docs) == 0 {
		return "Nothing to suggest: every module is under test or of the environment. Mark those under test with target = true.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "What coarse grains of the other modules may leave out for target %s, by level L0:\n", words.ListOr(targets, "none"))
	for _, d := range docs {
		fmt.Fprintf(&b, "\n%s at grain %s\n", paint.In(bold, d.Module), d.Grain)
		b.WriteString(indentAll(Wrap("may be dropped: "+words.ListOr(d.Drops, "nothing"), 96), "  "))
		if len(d.Together) > 0 {
			b.WriteString(indentAll(Wrap("may be dropped, too, by one grain for "+strings.Join(d.Others, " and ")+": "+
				strings.Join(d.Together, ", "), 96), "  "))
		}
		if len(d.Silent) > 0 {
			b.WriteString(indentAll(Wrap("steps that update nothing else: "+strings.Join(d.Silent, ", "), 96), "  "))
		}
		if len(d.Keeps) == 0 {
			continue
		}
		b.WriteString("  has to be kept:\n")
		t := Table{Indent: "    "}
		for _, k := range d.Keeps {
			l := k.Chain[0]
			t.Row(k.Variable, fmt.Sprintf("%s  (%s:%d)", strings.TrimPrefix(l.Text, k.Variable+": "), words.ShortPath(l.File), l.Line))
		}
		b.WriteString(t.Text())
	}
	b.WriteString("\nA chain in full: -why VARIABLE. Whether a grain that drops these has the same behaviours: -level L2.\n")
	return b.String()
}
