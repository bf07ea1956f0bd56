package narrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/modules"
)

// TraceOf is a trace file as the document has it. With full, every state is there as a whole.
func TraceOf(file string, meta itf.Meta, t *wire.Trace, full bool) *result.Trace {
	d := &result.Trace{File: file, Behaviour: *BehaviourOf(t, full), TraceMeta: result.TraceMeta{
		Spec: meta.Spec, System: meta.System, Manifest: meta.Manifest, Variables: meta.Variables,
		Implementation: meta.Implementation, Invariant: meta.Invariant, Instance: meta.Instance, Kind: meta.Kind,
		Doc: meta.Doc, Why: meta.Why,
	}}
	for _, m := range meta.Modules {
		d.TraceMeta.Modules = append(d.TraceMeta.Modules, result.TraceModule{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	return d
}

// BehaviourOf is a trace as the document has it; nil for nil.
func BehaviourOf(t *wire.Trace, full bool) *result.Behaviour {
	if t == nil {
		return nil
	}
	b := &result.Behaviour{Init: Values(t.Init), Steps: []result.Step{}, Loop: t.Loop, Diagram: DiagramOf(t),
		Parts: leaves("", &t.Init, [][2]string{})}
	before := t.Init
	for k := range t.Steps {
		s := &t.Steps[k]
		step := result.Step{Action: s.Action, Call: callText(s), Module: s.Module, Environment: s.Environment,
			Params: Values(s.Params), Changes: []result.StateChange{}}
		if s.Server >= 0 {
			step.Server = &s.Server
		}
		for _, c := range itf.Changes(before, s.State) {
			step.Changes = append(step.Changes, result.StateChange{Variable: c.Path, Old: partText(c.Old), New: partText(c.New), Queue: Queued(c)})
			if c.New == nil || c.Old != nil && c.Old.Shape != c.New.Shape {
				step.Gone = append(step.Gone, c.Path)
			}
			if c.New != nil {
				step.Set = leaves(c.Path, c.New, step.Set)
			}
		}
		if full {
			step.State = Values(s.State)
		}
		b.Steps = append(b.Steps, step)
		before = s.State
	}
	return b
}

// Values are the parts of a record.
func Values(v modules.View) []result.Value {
	out := []result.Value{}
	for k, name := range v.Names {
		out = append(out, result.Value{Name: name, Value: itf.Text(v.Elems[k])})
	}
	if v.Shape != modules.Record {
		out = append(out, result.Value{Name: "value", Value: itf.Text(v)})
	}
	return out
}

// callText is the action of a step with its parameters. Traces of other tools may lack the
// action.
func callText(s *wire.Step) string {
	name := s.Action
	if name == "" {
		name = "step"
	}
	return name + ParamsText(s.Params)
}

// ParamsText is the parameters of an action as a call has them: (I: 1, J: 0).
func ParamsText(p modules.View) string {
	var parts []string
	for k, e := range p.Elems {
		if k < len(p.Names) {
			parts = append(parts, p.Names[k]+": "+itf.Text(e))
		}
	}
	if len(p.Names) == 0 && (p.Text != "" || len(p.Elems) > 0) {
		parts = []string{itf.Text(p)}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// ParamsOrNone is the parameters of an action; "" where they are not known.
func ParamsOrNone(p *modules.View) string {
	if p == nil {
		return ""
	}
	return ParamsText(*p)
}

// partText is the value of a part of a state, "none" where it does not exist.
func partText(v *modules.View) string {
	if v == nil {
		return "none"
	}
	return itf.Text(*v)
}

// leaves appends the smallest parts that itf.Changes tells apart.
func leaves(path string, v *modules.View, out [][2]string) [][2]string {
	switch {
	case v.Shape == modules.Record && len(v.Elems) > 0:
		for k := range v.Elems {
			name := v.Names[k]
			if path != "" {
				name = path + "." + name
			}
			out = leaves(name, &v.Elems[k], out)
		}
	case v.Shape == modules.Mapping:
		for k := range v.Elems {
			out = leaves(path+"["+v.Names[k]+"]", &v.Elems[k], out)
		}
	case v.Shape == modules.Function && len(v.Elems) > 0:
		for k := range v.Elems {
			out = leaves(fmt.Sprintf("%s[%d]", path, k), &v.Elems[k], out)
		}
	default:
		out = append(out, [2]string{path, itf.Text(*v)})
	}
	return out
}

// Queued says what was taken from the front of a sequence and put at its end. It is "" for other
// changes, and for sequences of simple values, which are shown before and after a step.
func Queued(c itf.Change) string {
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
