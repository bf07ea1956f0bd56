package text

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Reasons returns why a guard or an invariant is false: the operand that decided, then those in
// functions that it calls, each with the values that it read.
func Reasons(why []wire.Reason, indent string) string {
	var b strings.Builder
	for k := range why {
		r := &why[k]
		prefix := ""
		if k > 0 {
			prefix = "because "
		}
		fmt.Fprintf(&b, "%s%s%s  (%s:%d)\n", indent, prefix, reasonSentence(r), words.ShortPath(r.File), r.Line)
		t := Table{Indent: indent + "    "}
		for _, o := range r.Operands {
			t.Row(o.Text, "= "+o.Value)
		}
		b.WriteString(t.Text())
	}
	return b.String()
}

// reasonSentence says what a condition is, and for which servers or values.
func reasonSentence(r *wire.Reason) string {
	if r.Kind == result.ReasonRaised {
		return r.Text
	}
	is := "is false"
	if r.Kind == "return" {
		is = "holds"
		if strings.HasPrefix(r.Text, "return ") {
			is = "is reached"
		}
	} else if r.Value {
		is = "is true"
	}
	text := r.Text + " " + is
	if len(r.Locals) > 0 {
		var parts []string
		for _, n := range slices.Sorted(maps.Keys(r.Locals)) {
			parts = append(parts, n+" = "+r.Locals[n])
		}
		text += " for " + strings.Join(parts, ", ")
	}
	return text
}

// ReasonLines is reasonText in lines without their indentation, for pages.
func ReasonLines(why []wire.Reason) []string {
	if len(why) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(Reasons(why, ""), "\n"), "\n")
}
