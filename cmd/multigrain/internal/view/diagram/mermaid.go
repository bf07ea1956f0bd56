package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// Mermaid returns the diagram in the language of Mermaid. Its arrows are level, so a message is
// drawn where it is received, with the step that sent it, or where it was sent if it never is.
func Mermaid(d *result.Diagram, title string) string {
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	if title != "" {
		fmt.Fprintf(&b, "    %%%% %s\n", mermaidText(title))
	}
	for i := range d.Lanes {
		fmt.Fprintf(&b, "    participant S%d as %s\n", i, mermaidText(d.Name(i)))
	}
	for k, r := range d.Rows {
		over := fmt.Sprintf("S0,S%d", d.Lanes-1)
		switch {
		case len(r.LanesOf()) == 1:
			over = fmt.Sprintf("S%d", r.LanesOf()[0])
		case len(r.LanesOf()) > 1:
			over = fmt.Sprintf("S%d,S%d", slices.Min(r.LanesOf()), slices.Max(r.LanesOf()))
		case d.Lanes == 1:
			over = "S0"
		}
		note := fmt.Sprintf("    Note over %s: %d %s\n", over, r.Step, mermaidText(r.Label)+changed(r.Changed))
		if r.Environment { // crashes, cuts and the like stand out
			note = "    rect rgb(255, 214, 214)\n" + note + "    end\n"
		}
		b.WriteString(note)
		if lane, what := r.Isolated(); lane >= 0 {
			fmt.Fprintf(&b, "    Note over S%d: all links %s\n", lane, what)
		} else {
			for _, m := range r.Marks {
				fmt.Fprintf(&b, "    Note over S%d,S%d: link %s\n", m.A, m.B, m.What)
			}
		}
		for _, m := range d.Messages {
			switch {
			case m.End == k && !m.Lost:
				fmt.Fprintf(&b, "    S%d->>S%d: %s%s\n", m.From, m.To, mermaidText(strings.TrimSpace(m.Text+" "+m.Fields)), sentIn(m, k))
			case m.End == k:
				fmt.Fprintf(&b, "    S%d-xS%d: %s lost%s\n", m.From, m.To, mermaidText(strings.TrimSpace(m.Text+" "+m.Fields)), sentIn(m, k))
			case m.Sent == k && m.End < 0:
				copied := ""
				if m.Copy {
					copied = ", a copy"
				}
				fmt.Fprintf(&b, "    S%d-)S%d: %s%s, in flight at the end\n", m.From, m.To, mermaidText(strings.TrimSpace(m.Text+" "+m.Fields)), copied)
			}
		}
	}
	return b.String()
}

// changed lists the changes of a step as further lines of its note.
func changed(all []string) string {
	var b strings.Builder
	for k, c := range all {
		if k == mostNotes {
			fmt.Fprintf(&b, "<br/>and %d more", len(all)-k)
			break
		}
		b.WriteString("<br/>" + mermaidText(shortened(c)))
	}
	return b.String()
}

func sentIn(m result.Message, k int) string {
	switch {
	case m.Sent == k:
		return ""
	case m.Copy:
		return fmt.Sprintf(" (a copy made in %d)", m.Sent+1)
	}
	return fmt.Sprintf(" (sent in %d)", m.Sent+1)
}

// mermaidText returns a name or a value as text of Mermaid. Characters that Mermaid, Markdown or
// HTML read as syntax become codes of characters, as #60; for <. So does the start of the word end,
// which ends a block.
func mermaidText(s string) string {
	s = terminal.Line(strings.ReplaceAll(s, "\n", " "))
	var b strings.Builder
	for at, r := range s {
		if strings.ContainsRune("#;<>\"'&%`$\\{}", r) || (r == 'e' || r == 'E') && isEnd(s, at) {
			fmt.Fprintf(&b, "#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isEnd reports whether the word end stands at a byte of a text.
func isEnd(s string, at int) bool {
	letter := func(k int) bool {
		return k >= 0 && k < len(s) && (s[k] >= 'a' && s[k] <= 'z' || s[k] >= 'A' && s[k] <= 'Z' || s[k] >= '0' && s[k] <= '9' || s[k] == '_')
	}
	return len(s) >= at+3 && strings.EqualFold(s[at:at+3], "end") && !letter(at-1) && !letter(at+3)
}
