package compose

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/capacity"
	"github.com/multigrain/multigrain/configs"
)

// trace compares the names of actions in the trace block with the chosen grains. What formulas name
// is compared with the specification's types by the program.
func (r *resolver) trace() {
	t := r.m.Trace
	if t == nil || len(r.failed) > 0 {
		return
	}
	var actions []string
	for _, g := range r.c.Chosen() {
		actions = append(actions, g.Actions...)
	}
	known := func(name string, at, whole hcl.Range) {
		if slices.Contains(actions, name) {
			return
		}
		r.report(configs.WithContext(configs.Errorf(CodeUnknownAction, "Unknown action", at, "No chosen grain of system %q has action %q.%s",
			r.cat.System, name, configs.Hint(name, actions)), whole))
	}
	for _, e := range t.Events {
		for _, a := range e.Actions.Value {
			known(a.Value, a.Range, e.Actions.Range)
		}
	}
	for _, u := range t.Unlogged {
		known(u.Action, u.ActionRange, u.DeclRange)
		for _, e := range u.Events.Value {
			if names := t.EventNames(); !slices.Contains(names, e.Value) {
				r.report(configs.WithContext(configs.Errorf(CodeUnknownAction, "Unknown event", e.Range,
					"The trace block says nothing of an event %q, before which %s may happen.%s", e.Value, u.Action, configs.Hint(e.Value, names)), u.Events.Range))
			}
		}
	}
}

// CapacityOf returns what sets the capacity of a field of the state, such as State.Log. It reports
// false if that is not found.
func (c *Composition) CapacityOf(field string, room int) (capacity.Length, bool) {
	path, inState := strings.CutPrefix(field, "State.")
	if c.source == nil || !inState || room <= 0 {
		return capacity.Length{}, false
	}
	set := map[string]string{}
	for _, b := range c.Catalog.Bounds {
		if b.Const != "" {
			set[b.Const] = c.Constants[b.Const]
		}
	}
	return capacity.Find(c.source.Files(), set, c.Catalog.State, path, room)
}
