package compose

import (
	"slices"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// Offered returns the invariants and constraints that the composition's system and chosen grains
// offer.
func (c *Composition) Offered() (invariants, constraints []grains.PropertyDecl) {
	invariants = slices.Clone(c.Catalog.Invariants)
	constraints = slices.Clone(c.Catalog.Constraints)
	for _, g := range c.Chosen() {
		invariants = append(invariants, g.Invariants...)
		constraints = append(constraints, g.Constraints...)
	}
	return invariants, constraints
}

// Selected returns the invariants that the composition checks.
func (c *Composition) Selected() []grains.PropertyDecl {
	offered, _ := c.Offered()
	selects := func(patterns []string, p grains.PropertyDecl) bool {
		return slices.ContainsFunc(patterns, func(s string) bool { return grains.Selects(s, p.ID, p.Instance) })
	}
	return slices.DeleteFunc(offered, func(p grains.PropertyDecl) bool {
		return !selects(c.Choice.Invariants, p) || selects(c.Choice.Except, p)
	})
}

// A coarse grain can hide a deadlock of the fine one, and behaviours that never reach what a
// liveness property asks for. Both are endings, which level L2 compares. A manifest that asks for
// them with coarse grains needs that level, whatever it states.

// Endings returns what the manifest asks for: liveness properties by their IDs, and deadlock. It is
// nil where each coarse grain stands in both compositions of a comparison.
func (c *Composition) Endings() (out []string) {
	coarse := 0
	for _, g := range c.Chosen() {
		if g.Coarsens {
			coarse++
		}
	}
	if coarse == len(c.Unchanged()) {
		return nil
	}
	if c.Manifest.Check.Deadlock.Value {
		out = append(out, "deadlock")
	}
	for _, id := range c.Catalog.LivenessNames() {
		if slices.Contains(c.Choice.Properties, id) || slices.Contains(c.Choice.Properties, "*") {
			out = append(out, id)
		}
	}
	return out
}

// Stated returns the level above L0 that the manifest needs: the one that it states, or at least L2
// where it asks for endings. It is "" for neither.
func (c *Composition) Stated() string {
	level := "L0"
	if c.Manifest.Interaction != nil {
		level = c.Manifest.Interaction.Level.Or(level)
	}
	if len(c.Endings()) > 0 {
		level = max(level, "L2")
	}
	if level == "L0" {
		return ""
	}
	return level
}

// properties checks the names in the check and expect blocks.
func (r *resolver) properties() {
	invs, cons := r.c.Offered()
	check := r.m.Check
	r.c.Choice.Invariants = []string{"*"}
	if check.Invariants.IsSet() {
		r.c.Choice.Invariants = r.names(check.Invariants, invs, CodeUnknownInvariant, "invariant")
	}
	r.c.Choice.Except = r.names(check.Except, invs, CodeUnknownInvariant, "invariant")
	r.c.Choice.Constraints = r.names(check.Constraints, cons, CodeUnknownConstraint, "constraint")
	r.liveness()
	r.roles()
	r.unused()
	if e := r.m.Expect; e != nil && e.Invariant.IsSet() && len(r.failed) == 0 {
		want := e.Invariant.Value
		known := slices.ContainsFunc(invs, func(p grains.PropertyDecl) bool { return grains.Selects(want, p.ID, p.Instance) })
		if !known && !slices.Contains(r.cat.LivenessNames(), want) || want == "*" {
			r.report(e.Invariant.Errorf(CodeUnknownInvariant, "Unknown invariant", "No chosen grain of system %q offers invariant %q.%s",
				r.cat.System, want, configs.Hint(want, append(namesOf(invs), r.cat.LivenessNames()...))))
		}
	}
}

// liveness checks the names of liveness properties.
func (r *resolver) liveness() {
	names := r.cat.LivenessNames()
	for _, t := range r.m.Check.Properties.Value {
		if t.Value != "*" && !slices.Contains(names, t.Value) {
			hint := configs.Hint(t.Value, names)
			if len(names) == 0 {
				hint = " It declares none."
			}
			r.report(configs.Errorf(CodeUnknownProperty, "Unknown liveness property", t.Range, "System %q has no liveness property %q.%s",
				r.cat.System, t.Value, hint))
			continue
		}
		r.c.Choice.Properties = append(r.c.Choice.Properties, t.Value)
	}
}

// roles checks the names of roles over which symmetry is. How many nodes they have is known when
// the code is analysed.
func (r *resolver) roles() {
	names := []string{"server"} // of a catalog without roles
	if len(r.cat.Roles) > 0 {
		names = nil
	}
	for _, x := range r.cat.Roles {
		names = append(names, x.Name)
	}
	for _, t := range r.m.Check.Symmetry.Value.Roles {
		if !slices.Contains(names, t.Value) {
			r.report(configs.Errorf(CodeUnknownRole, "Unknown role", t.Range, "System %q has no role %q.%s", r.cat.System, t.Value, configs.Hint(t.Value, names)))
		}
	}
}

// unused checks the names of actions that the manifest says are unused.
func (r *resolver) unused() {
	var actions []string
	for _, g := range r.c.Chosen() {
		actions = append(actions, g.Actions...)
	}
	for _, t := range r.m.Check.Unused.Value {
		if !slices.Contains(actions, t.Value) && len(r.failed) == 0 {
			r.report(configs.Errorf(CodeUnknownAction, "Unknown action", t.Range, "No chosen grain of system %q has action %q.%s",
				r.cat.System, t.Value, configs.Hint(t.Value, actions)))
		}
	}
}

func (r *resolver) names(list configs.Attr[[]configs.Text], offered []grains.PropertyDecl, code configs.Code, what string) []string {
	var out []string
	for _, t := range list.Value {
		known := slices.ContainsFunc(offered, func(p grains.PropertyDecl) bool { return grains.Selects(t.Value, p.ID, p.Instance) })
		if !known && t.Value != "*" {
			if len(r.failed) > 0 { // a grain that is not known may offer it
				continue
			}
			r.report(configs.Errorf(code, "Unknown "+what, t.Range, "No chosen grain of system %q offers %s %q.%s",
				r.cat.System, what, t.Value, configs.Hint(t.Value, namesOf(offered))))
			continue
		}
		out = append(out, t.Value)
	}
	return out
}

// namesOf returns the names by which properties can be selected.
func namesOf(ps []grains.PropertyDecl) []string {
	var out []string
	for _, p := range ps {
		if p.Instance != "" {
			out = append(out, p.ID+"."+p.Instance)
		}
		if !slices.Contains(out, p.ID) {
			out = append(out, p.ID)
		}
	}
	return out
}
