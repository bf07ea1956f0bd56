package compose

import (
	"context"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/compose/internal/capacity"
	"github.com/multigrain/multigrain/compose/internal/gocmd"
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

// Refinement is a composition next to an abstract one, which it must refine.
type Refinement struct {
	Concrete, Abstract *Composition
	Block              *configs.Refines
	// Shared are the bounds that the abstract composition takes from the concrete one, by name.
	Shared configs.Settings

	source *gocmd.Source // of the mapping function; nil where formulas map
	fn     string        // its name
}

// Refining prepares the comparison with an abstract composition. The refines block of the manifest
// names its system. Bounds that both systems have by one name get the concrete one's value in both.
func (c *Composition) Refining(abstract *Composition) (*Refinement, hcl.Diagnostics) {
	name := abstract.Manifest.System.Name
	x := &Refinement{Concrete: c, Block: c.Manifest.RefinesSystem(name)}
	if x.Block == nil {
		return nil, hcl.Diagnostics{configs.Errorf(CodeNoMapping, "Missing mapping", c.Manifest.System.DeclRange,
			"%s does not say how it refines system %q. Write refines %q { map = ... } there, with a Go function or a formula for each variable.%s",
			c.Manifest.Path, name, name, configs.Hint(name, refined(c.Manifest)))}
	}
	diags := x.actions(abstract)
	for _, b := range abstract.Catalog.Bounds {
		n, budget := c.Choice.Budgets[b.Name]
		if budget && n >= b.Min && n <= b.Max && n != abstract.Choice.Budgets[b.Name] {
			x.Shared = append(x.Shared, configs.Setting{Name: b.Name, Attr: configs.Attr[cty.Value]{Value: cty.NumberIntVal(int64(n)), Range: x.Block.DeclRange, ValueRange: x.Block.DeclRange}})
		} else if budget && (n < b.Min || n > b.Max) {
			diags = append(diags, configs.Errorf(CodeApart, "Bound out of range", x.Block.DeclRange,
				"Bound %q of the composition is %d. The abstract system has a bound of this name, which can be %d to %d: %s", b.Name, n, b.Min, b.Max, b.Doc))
		}
	}
	within, more := abstract.within(x.Shared)
	x.Abstract = within
	diags = append(append(diags, more...), x.function()...)
	if within != nil && c.source.Folder == within.source.Folder && !maps.Equal(c.Constants, within.Constants) {
		diags = append(diags, configs.Errorf(CodeApart, "Sizes and options differ", x.Block.DeclRange,
			"Both compositions are of package %s, and one program has one value of each constant: %s. Give both manifests the same bounds and options.",
			c.source.Path, strings.Join(unlike(c.Constants, within.Constants), ", ")))
	}
	return x, diags
}

// refined returns the names of the abstract systems for which a manifest has a mapping.
func refined(m *configs.Manifest) (names []string) {
	for _, r := range m.Refines {
		names = append(names, r.System)
	}
	return names
}

// unlike returns the constants with different values.
func unlike(a, b map[string]string) (out []string) {
	for name, value := range a {
		if b[name] != value {
			out = append(out, fmt.Sprintf("%s is %s and %s", name, value, b[name]))
		}
	}
	slices.Sort(out)
	return out
}

// actions compares the observed actions with both catalogs.
func (x *Refinement) actions(abstract *Composition) (diags hcl.Diagnostics) {
	names := func(c *Composition) (out []string) {
		for _, a := range c.Catalog.Actions {
			out = append(out, a.Name)
		}
		return out
	}
	have, below := names(x.Concrete), names(abstract)
	for _, s := range x.Block.Actions {
		if !slices.Contains(have, s.Name) {
			diags = append(diags, unknown(s, CodeUnknownAction, "Unknown action",
				"System %q has no action %q.%s", x.Concrete.Catalog.System, s.Name, configs.Hint(s.Name, have)))
		}
		if v := s.Value.AsString(); !slices.Contains(below, v) {
			diags = append(diags, s.Errorf(CodeUnknownAction, "Unknown action", "The abstract system %q has no action %q.%s",
				abstract.Catalog.System, v, configs.Hint(v, below)))
		}
	}
	return diags
}

// function finds the mapping function.
func (x *Refinement) function() (diags hcl.Diagnostics) {
	f := x.Block.Function
	if !f.IsSet() {
		return nil
	}
	dot := strings.LastIndex(f.Value, ".")
	if dot < 1 || !token.IsIdentifier(f.Value[dot+1:]) || !token.IsExported(f.Value[dot+1:]) {
		return hcl.Diagnostics{f.Errorf(CodeMapping, "Not a Go function",
			"%q names no exported Go function. Write the import path of its package or its folder, a dot, and the name, such as \"../spec.Map\".", f.Value)}
	}
	x.source, diags = gocmd.Open(f.Dir(), f.Value[:dot], f.ValueRange, x.Concrete.source.Env)
	if diags.HasErrors() {
		return diags
	}
	if x.fn = f.Value[dot+1:]; !x.source.DeclaresFunc(x.fn) {
		diags = append(diags, f.Errorf(CodeMapping, "Unknown Go function", "Package %s has no function %s. %s", x.source.Path, x.fn, x.declare()))
	}
	return diags
}

// declare says how the mapping function must be declared.
func (x *Refinement) declare() string {
	of := func(c *Composition) string { return c.source.Name + "." + c.Catalog.State }
	below := "the abstract State"
	if x.Abstract != nil {
		below = of(x.Abstract)
	}
	return fmt.Sprintf("Declare it as func(s *%s, a *%s). It sets variables of a, from those of s.", of(x.Concrete), below)
}

// Assemble builds the program with both compositions, or finds it in the cache, and returns its
// path. Errors about the mapping function have its place in the manifest.
func (x *Refinement) Assemble(ctx context.Context) (string, hcl.Diagnostics) {
	plain, diags := assemble.Read(x.Concrete.source)
	if diags.HasErrors() {
		return "", diags
	}
	var concrete, abstract assemble.Program
	x.Concrete.describe(&concrete)
	x.Abstract.describe(&abstract)
	if concrete.Source.Folder == abstract.Source.Folder {
		concrete.Others = abstract.Chosen
		concrete.LeastBudgets = max(concrete.LeastBudgets, len(assemble.BudgetsOf(abstract.Chosen)))
		abstract.LeastBudgets = len(assemble.BudgetsOf(concrete.Chosen))
	} else {
		concrete.Capacities = x.capacities(plain)
	}
	m, s := assemble.Mapping{}, x.Concrete.source.With(x.Abstract.source)
	if x.source != nil {
		at := x.Block.Function.ValueRange
		m = assemble.Mapping{Path: x.source.Path, Func: x.fn, File: at.Filename, Line: at.Start.Line}
		s = s.With(x.source)
	}
	key, err := s.Key("refinement", m.Path, m.Func, concrete.Constants, concrete.Capacities, x.Concrete.Choice.Grains, x.Abstract.Constants, x.Abstract.Choice.Grains, x.Abstract.source.Path)
	if err != nil {
		return "", hcl.Diagnostics{s.Env.CacheError(err)}
	}
	return s.Env.Program(key, func(work string) (string, hcl.Diagnostics) {
		files, diags := assemble.Refining(&concrete, &abstract, m)
		if diags.HasErrors() {
			return "", diags
		}
		built, more := s.Build(ctx, work, files)
		for _, d := range more {
			// The compiler names the generated file, which is in the folder of the build.
			if d.Subject != nil && x.source != nil && strings.Contains(d.Detail, x.source.Name+"."+x.fn) {
				*d = *x.Block.Function.Errorf(CodeMapping, "Wrong type of mapping", "%s does not map states of the one system to states of the other: %s %s",
					x.Block.Function.Value, d.Detail, x.declare())
			}
		}
		return built, append(diags, more...)
	})
}

// capacities returns the constants that neither the composition nor the mapping needs.
func (x *Refinement) capacities(plain *assemble.Rewriting) map[string]string {
	zero := x.Concrete.capacities(plain)
	named := map[string]bool{}
	for _, f := range x.Block.Map {
		f.Value.Names(named)
	}
	if x.source != nil {
		named = x.source.Names(x.Concrete.source)
	}
	for name, fields := range plain.Shrinkable(x.Concrete.Catalog.State, x.Concrete.Constants) {
		for _, f := range fields {
			top, _, _ := strings.Cut(f, ".")
			if named[top] {
				delete(zero, name)
			}
		}
	}
	return zero
}
