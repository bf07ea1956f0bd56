package diagram

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// sides returns a table of what differs after the step that departs: the specification on the left,
// the code on the right. It is "" for a diagram with one side.
func sides(x *result.Departure) string {
	if x == nil {
		return ""
	}
	after := "at the start"
	if x.Step > 0 {
		after = fmt.Sprintf("after step %d", x.Step)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<table class="sides"><tr><th>%s</th><th>specification</th><th>code</th></tr>`, after)
	for _, v := range x.Sides {
		fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n", shown(v.Path), shown(cmp.Or(v.SpecificationText, "has none")), shown(cmp.Or(v.ImplementationText, "has none")))
	}
	if x.Message != "" {
		fmt.Fprintf(&b, "<tr><td></td><td>continues</td><td>%s</td></tr>\n", shown(x.Message))
	}
	b.WriteString("</table>\n")
	return b.String()
}
