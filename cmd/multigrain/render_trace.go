package main

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// narrator tells a trace as text: each step with its parameters and the variables that it changes.
type narrator struct {
	paint  painter
	indent string
	full   bool // whole states
}

func (n narrator) text(t *wire.Trace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%3d  %s\n", n.indent, 0, n.paint.in(bold, "initial state"))
	b.WriteString(n.state(t.Init))
	before := &t.Init
	for k := range t.Steps {
		s := &t.Steps[k]
		fmt.Fprintf(&b, "%s%3d  %s%s", n.indent, k+1, n.paint.in(bold, actionName(s)), paramsText(s.Params))
		if s.Module != "" {
			b.WriteString("  " + n.paint.in(dim, s.Module))
		}
		b.WriteString("\n")
		if n.full {
			b.WriteString(n.state(s.State))
		} else {
			b.WriteString(n.changes(*before, s.State))
		}
		before = &s.State
	}
	return b.String()
}

// actionName is the name of a step's action. Traces of other tools may lack it.
func actionName(s *wire.Step) string {
	if s.Action == "" {
		return "step"
	}
	return s.Action
}

// state shows the variables of a state, one a line. Initial states are shown whole only if asked for: they are what the
// specification's Init says.
func (n narrator) state(v modules.View) string {
	if !n.full {
		return ""
	}
	t := table{indent: n.indent + "       "}
	for k, name := range v.Names {
		t.row(name, "= "+itf.Text(v.Elems[k]))
	}
	return t.text()
}

func (n narrator) changes(before, after modules.View) string {
	changes := itf.Changes(before, after)
	if len(changes) == 0 {
		return n.indent + "       changes nothing\n"
	}
	t := table{indent: n.indent + "       "}
	for _, c := range changes {
		t.row(c.Path, n.paint.in(dim, partText(c.Old)+" ->")+" "+partText(c.New))
	}
	return t.text()
}

// partText is the value of a part of a state, "none" where it does not exist.
func partText(v *modules.View) string {
	if v == nil {
		return "none"
	}
	return itf.Text(*v)
}

// traceOf is a trace for -json.
func traceOf(file string, meta itf.Meta, t *wire.Trace, full bool) *traceDoc {
	d := &traceDoc{Meta: meta, File: file, Init: values(t.Init), Steps: []stepDoc{}}
	before := t.Init
	for _, s := range t.Steps {
		step := stepDoc{Action: s.Action, Module: s.Module, Params: values(s.Params), Changes: []changeDoc{}}
		if s.Server >= 0 {
			step.Server = &s.Server
		}
		for _, c := range itf.Changes(before, s.State) {
			step.Changes = append(step.Changes, changeDoc{c.Path, partText(c.Old), partText(c.New)})
		}
		if full {
			step.State = values(s.State)
		}
		d.Steps = append(d.Steps, step)
		before = s.State
	}
	return d
}

// values are the parts of a record.
func values(v modules.View) []valueDoc {
	out := []valueDoc{}
	for k, name := range v.Names {
		out = append(out, valueDoc{name, itf.Text(v.Elems[k])})
	}
	if v.Shape != modules.Record {
		out = append(out, valueDoc{"value", itf.Text(v)})
	}
	return out
}
