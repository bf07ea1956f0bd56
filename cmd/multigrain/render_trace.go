package main

import (
	"fmt"
	"strings"
)

// narrator tells a behaviour as text: each step with its parameters and the variables that it changes.
type narrator struct {
	paint  painter
	indent string
	full   bool // whole states
}

func (n narrator) text(d *behaviourDoc) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%3d  %s\n", n.indent, 0, n.paint.in(bold, "initial state"))
	b.WriteString(n.state(d.Init))
	for k := range d.Steps {
		s := &d.Steps[k]
		name, params, _ := strings.Cut(s.Call, "(")
		fmt.Fprintf(&b, "%s%3d  %s(%s", n.indent, k+1, n.paint.in(bold, name), params)
		if s.Module != "" {
			b.WriteString("  " + n.paint.in(dim, s.Module))
		}
		b.WriteString("\n")
		if n.full {
			b.WriteString(n.state(s.State))
		} else {
			b.WriteString(n.changes(s.Changes))
		}
	}
	if d.Loop != nil {
		fmt.Fprintf(&b, "%s     %s\n", n.indent, n.paint.in(bold, loopText(d)))
	}
	return b.String()
}

// loopText says how a behaviour with a loop continues.
func loopText(d *behaviourDoc) string {
	if *d.Loop == len(d.Steps) {
		return fmt.Sprintf("stays in state %d for ever: no fair action changes it", *d.Loop)
	}
	return fmt.Sprintf("goes back to state %d, and round for ever", *d.Loop)
}

// state shows the variables of a state, one a line. Initial states are shown whole only if asked for: they are what the
// specification's Init says.
func (n narrator) state(values []valueDoc) string {
	if !n.full {
		return ""
	}
	t := table{indent: n.indent + "       "}
	for _, v := range values {
		t.row(v.Name, "= "+v.Value)
	}
	return t.text()
}

func (n narrator) changes(changes []changeDoc) string {
	if len(changes) == 0 {
		return n.indent + "       changes nothing\n"
	}
	t := table{indent: n.indent + "       "}
	for _, c := range changes {
		if c.Queue != "" {
			t.row(c.Variable, c.Queue)
			continue
		}
		t.row(c.Variable, n.paint.in(dim, c.Old+" ->")+" "+c.New)
	}
	return t.text()
}
