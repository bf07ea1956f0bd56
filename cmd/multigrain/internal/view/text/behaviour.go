package text

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// Behaviour tells a behaviour as text: each step with its parameters and the variables that it
// changes.
type Behaviour struct {
	Paint  Painter
	indent string
	Full   bool // whole states
}

// Text returns the behaviour as lines, one or more for each step.
func (n Behaviour) Text(d *result.Behaviour) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%3d  %s\n", n.indent, 0, n.Paint.In(bold, "initial state"))
	b.WriteString(n.state(d.Init))
	for k := range d.Steps {
		s := &d.Steps[k]
		for _, section := range d.Sections {
			if section.Step == k+1 {
				fmt.Fprintf(&b, "%s%s\n", n.indent, n.Paint.In(dim, section.Text))
			}
		}
		name, params, _ := strings.Cut(terminal.Line(s.Call), "(")
		fmt.Fprintf(&b, "%s%3d  %s(%s", n.indent, k+1, n.Paint.In(bold, name), params)
		if s.Module != "" {
			b.WriteString("  " + n.Paint.In(dim, terminal.Line(s.Module)))
		}
		b.WriteString("\n")
		if n.Full {
			b.WriteString(n.state(s.State))
		} else {
			b.WriteString(n.changes(s.Changes))
		}
	}
	if d.Loop != nil {
		fmt.Fprintf(&b, "%s     %s\n", n.indent, n.Paint.In(bold, LoopText(d)))
	}
	return b.String()
}

// LoopText says how a behaviour with a loop continues.
func LoopText(d *result.Behaviour) string {
	if *d.Loop == len(d.Steps) {
		return fmt.Sprintf("stays in state %d for ever: no fair action changes it", *d.Loop)
	}
	return fmt.Sprintf("goes back to state %d, and round for ever", *d.Loop)
}

// state shows the variables of a state, one a line. Initial states are shown whole only if asked
// for: the specification's Init says what they are.
func (n Behaviour) state(values []result.Value) string {
	if !n.Full {
		return ""
	}
	t := Table{Indent: n.indent + "       "}
	for _, v := range values {
		t.Row(v.Name, "= "+v.Value)
	}
	return t.Text()
}

func (n Behaviour) changes(changes []result.StateChange) string {
	if len(changes) == 0 {
		return n.indent + "       changes nothing\n"
	}
	t := Table{Indent: n.indent + "       "}
	for _, c := range changes {
		if c.Queue != "" {
			t.Row(c.Variable, c.Queue)
			continue
		}
		t.Row(c.Variable, n.Paint.In(dim, c.Old+" ->")+" "+c.New)
	}
	return t.Text()
}
