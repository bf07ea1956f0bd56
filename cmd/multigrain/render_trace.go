package main

import (
	"fmt"
	"slices"
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
	if t.Loop != nil {
		fmt.Fprintf(&b, "%s     %s\n", n.indent, n.paint.in(bold, loopText(t)))
	}
	return b.String()
}

// loopText says how the behaviour of a trace with a loop goes on.
func loopText(t *wire.Trace) string {
	if *t.Loop == len(t.Steps) {
		return fmt.Sprintf("stays in state %d for ever: no fair action changes it", *t.Loop)
	}
	return fmt.Sprintf("goes back to state %d, and round for ever", *t.Loop)
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
		if text := queued(c); text != "" {
			t.row(c.Path, text)
			continue
		}
		t.row(c.Path, n.paint.in(dim, partText(c.Old)+" ->")+" "+partText(c.New))
	}
	return t.text()
}

// queued says what was taken from the front of a sequence and put at its end. It is "" for other changes, and for sequences of
// simple values, which are shown before and after a step.
func queued(c itf.Change) string {
	if c.Old == nil || c.New == nil || c.Old.Shape != modules.Sequence || c.New.Shape != modules.Sequence {
		return ""
	}
	old, now := c.Old.Elems, c.New.Elems
	made := func(v modules.View) bool { return v.Shape != modules.Scalar }
	if !slices.ContainsFunc(old, made) && !slices.ContainsFunc(now, made) {
		return ""
	}
	gone := 0
	for gone < len(old) && !(len(old)-gone <= len(now) && slices.EqualFunc(old[gone:], now[:len(old)-gone], itf.Equal)) {
		gone++
	}
	kept := len(old) - gone
	if kept == 0 && gone > 0 && len(now) > 0 {
		return "" // replaced
	}
	var parts []string
	if gone > 0 {
		parts = append(parts, "removed "+elements(old[:gone]))
	}
	if len(now) > kept {
		parts = append(parts, "added "+elements(now[kept:]))
	}
	return fmt.Sprintf("%s; %d before, %d now", strings.Join(parts, ", "), len(old), len(now))
}

func elements(vs []modules.View) string {
	texts := make([]string, len(vs))
	for k, v := range vs {
		texts[k] = itf.Text(v)
	}
	return strings.Join(texts, ", ")
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
	d := &traceDoc{Meta: meta, File: file, Init: values(t.Init), Steps: []stepDoc{}, Loop: t.Loop}
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
