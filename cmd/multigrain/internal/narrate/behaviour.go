package narrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// TraceOf returns a trace file as the document has it. With full, every state is there as a whole.
func TraceOf(file string, meta itf.Meta, t *wire.Trace, full bool) *result.Trace {
	d := &result.Trace{File: file, Behaviour: *BehaviourOf(t, Known{Messages: meta.Messages, Zeros: meta.Zeros}, full), TraceMeta: result.TraceMeta{
		Spec: meta.Spec, System: meta.System, Manifest: meta.Manifest, Variables: meta.Variables, Set: meta.Set,
		Implementation: meta.Implementation, Invariant: meta.Invariant, Instance: meta.Instance, Kind: meta.Kind,
		Doc: meta.Doc, Why: meta.Why, Messages: meta.Messages,
	}}
	if meta.Change != nil {
		d.TraceMeta.Change = meta.Change.Hash
	}
	for _, m := range meta.Modules {
		d.TraceMeta.Modules = append(d.TraceMeta.Modules, result.TraceModule{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	return d
}

// Known holds declarations of a specification that its traces mention. The zero value knows
// nothing.
type Known struct {
	// Messages are the fields that messages of each kind carry.
	Messages map[string][]string
	// Zeros are the names that stand for 0 in each enumeration that has them.
	Zeros []string
	// Actions are the places of the actions, by name.
	Actions map[string]result.SourcePlace
}

// KnownOf returns what a catalog says of messages, enumerations and places of actions.
func KnownOf(c *grains.Catalog) Known {
	k := Known{Messages: c.Messages, Zeros: ZerosOf(c), Actions: map[string]result.SourcePlace{}}
	for _, a := range c.Actions {
		k.Actions[a.Name] = result.SourcePlace{File: a.Place.File, Line: a.Place.Line}
	}
	return k
}

// ZerosOf returns the names of constants that stand for 0 in each enumeration of a catalog that has
// them, sorted.
func ZerosOf(c *grains.Catalog) []string {
	zero, other := map[string]bool{}, map[string]bool{}
	for _, names := range c.Enums {
		for value, name := range names {
			if value == 0 {
				zero[name] = true
			} else {
				other[name] = true
			}
		}
	}
	maps.DeleteFunc(zero, func(name string, _ bool) bool { return other[name] })
	return slices.Sorted(maps.Keys(zero))
}

// BehaviourOf returns a trace as the document has it; nil for nil. Its messages have the fields of
// their kind only.
func BehaviourOf(t *wire.Trace, known Known, full bool) *result.Behaviour {
	if t == nil {
		return nil
	}
	t = known.trace(t)
	b := &result.Behaviour{Init: Values(t.Init), Steps: []result.Step{}, Loop: t.Loop, Diagram: diagramOf(t),
		Parts: leaves("", &t.Init, [][2]string{})}
	before := t.Init
	for k := range t.Steps {
		s := &t.Steps[k]
		step := result.Step{Action: s.Action, Call: callText(s), Module: s.Module, Environment: s.Environment,
			Params: Values(s.Params), Changes: []result.StateChange{}}
		if s.Server >= 0 {
			step.Server = &s.Server
		}
		if at, ok := known.Actions[s.Action]; ok {
			step.Source = &at
		}
		for _, c := range itf.Changes(before, s.State) {
			x := result.StateChange{Variable: c.Path, Old: partText(c.Old), New: partText(c.New)}
			x.Removed, x.Added, x.Queue = queued(c)
			step.Changes = append(step.Changes, x)
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

// Values returns the parts of a record.
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

// callText returns the action of a step with its parameters. Traces of other tools may lack the
// action.
func callText(s *wire.Step) string {
	name := s.Action
	if name == "" {
		name = "step"
	}
	return name + ParamsText(s.Params)
}

// ParamsText returns the parameters of an action as a call has them: (I: 1, J: 0).
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

// ParamsOrNone returns the parameters of an action, without zeros that say nothing; "" where they
// are not known.
func (k *Known) ParamsOrNone(p *modules.View) string {
	if p == nil {
		return ""
	}
	return ParamsText(k.Brief(*p))
}

// partText returns the value of a part of a state, "none" where it does not exist.
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

// Queued says what was taken from the front of a sequence and put at its end, or what was taken out
// of a set or multiset and put into it. It is "" for other changes, and for simple values, which
// are shown before and after a step.
func Queued(c itf.Change) string {
	_, _, text := queued(c)
	return text
}

// queued returns the values that were removed and added, and Queued.
func queued(c itf.Change) (removed, added []string, text string) {
	if c.Old == nil || c.New == nil || c.Old.Shape != c.New.Shape {
		return nil, nil, ""
	}
	old, now := c.Old.Elems, c.New.Elems
	made := func(v modules.View) bool { return v.Shape != modules.Scalar }
	if !slices.ContainsFunc(old, made) && !slices.ContainsFunc(now, made) {
		return nil, nil, ""
	}
	var gone, come []modules.View
	switch c.Old.Shape {
	case modules.Sequence:
		k := 0
		for k < len(old) && !(len(old)-k <= len(now) && slices.EqualFunc(old[k:], now[:len(old)-k], itf.Equal)) {
			k++
		}
		if k == len(old) && k > 0 && len(now) > 0 {
			return nil, nil, "" // replaced
		}
		gone, come = old[:k], now[len(old)-k:]
	case modules.Collection, modules.Multiset:
		gone, come = itf.Difference(old, now)
	default:
		return nil, nil, ""
	}
	var parts []string
	if removed = texts(gone); len(removed) > 0 {
		parts = append(parts, "removed "+strings.Join(removed, ", "))
	}
	if added = texts(come); len(added) > 0 {
		parts = append(parts, "added "+strings.Join(added, ", "))
	}
	return removed, added, fmt.Sprintf("%s; %d before, %d now", strings.Join(parts, ", "), len(old), len(now))
}

func texts(vs []modules.View) (out []string) {
	for _, v := range vs {
		out = append(out, itf.Text(v))
	}
	return out
}
