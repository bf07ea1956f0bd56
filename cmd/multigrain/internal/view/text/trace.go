package text

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// WhyText returns why the property was false at the end, where that was asked for when the trace
// was written.
func WhyText(why []wire.Reason) string {
	if len(why) == 0 {
		return ""
	}
	return Reasons(why, "  ") + "\n"
}

// TraceHead says where a trace comes from.
func TraceHead(m *result.Trace) string {
	var b strings.Builder
	b.WriteString(m.File + ": " + words.Plural(int64(len(m.Steps)), "step"))
	if m.Spec != "" {
		fmt.Fprintf(&b, " of %s, system %s", m.Spec, m.System)
	}
	b.WriteString("\n")
	if m.Selected != "" {
		b.WriteString(m.Selected + "\n")
	}
	if m.Kind != "" {
		what := m.Invariant
		if m.Instance != "" {
			what += "." + m.Instance
		}
		fmt.Fprintf(&b, "%s %s", words.SentenceStart(kinds[m.Kind], m.Kind), what)
		if m.Doc != "" {
			b.WriteString(": " + m.Doc)
		}
		b.WriteString("\n")
	}
	if m.Change != "" {
		fmt.Fprintf(&b, "Done on the changed code of %s, change %s.\n", m.Implementation, m.Change)
	}
	return b.String() + "\n"
}
