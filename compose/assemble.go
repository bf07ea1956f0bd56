package compose

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/compose/internal/mutate"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// Assemble builds the composition's program that answers some verbs, or finds it in the cache, and
// returns its path.
func (c *Composition) Assemble(ctx context.Context, verbs ...assemble.Verb) (string, hcl.Diagnostics) {
	plain, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		return "", diags
	}
	return c.assemble(ctx, assemble.Program{Verbs: verbs, Capacities: c.capacities(plain)}, "program")
}

// Assembling returns the call of Assemble for some verbs.
func (c *Composition) Assembling(verbs ...assemble.Verb) func(context.Context) (string, hcl.Diagnostics) {
	return func(ctx context.Context) (string, hcl.Diagnostics) { return c.Assemble(ctx, verbs...) }
}

// AssembleInstrumented builds the composition's program with every condition of the
// specification's package noted as it is evaluated, or finds it in the cache, and returns its
// path. It validates traces. What it runs is the table of actions. Capacities are not shrunk: a
// trace may be about any variable.
func (c *Composition) AssembleInstrumented(ctx context.Context) (string, hcl.Diagnostics) {
	return c.assemble(ctx, assemble.Program{Verbs: []assemble.Verb{assemble.Trace}, Notes: assemble.Conditions}, "instrumented")
}

// AssembleExplaining is AssembleInstrumented with the capacities of Assemble, so that it has the
// same states. It explains, and answers questions about steps.
func (c *Composition) AssembleExplaining(ctx context.Context) (string, hcl.Diagnostics) {
	plain, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		return "", diags
	}
	verbs := []assemble.Verb{assemble.Explain, assemble.Step}
	return c.assemble(ctx, assemble.Program{Verbs: verbs, Notes: assemble.Conditions, Capacities: c.capacities(plain)}, "instrumented")
}

// AssembleWalking builds the composition's program with every branch of guards, effects and
// rules noted, or finds it in the cache, and returns its path. It has the states of Assemble's
// program and runs the table of actions. It is made for walks: it is slower, and reports the
// branches of steps instead of those of invariants.
func (c *Composition) AssembleWalking(ctx context.Context) (string, hcl.Diagnostics) {
	plain, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		return "", diags
	}
	verbs := []assemble.Verb{assemble.Simulate}
	return c.assemble(ctx, assemble.Program{Verbs: verbs, Notes: assemble.Branches, Capacities: c.capacities(plain)}, "walking")
}

// assemble builds a program of the composition, or finds it in the cache. The program p says what
// is special about it, and content what it depends on apart from the sources, the constants, the
// capacities and the grains.
func (c *Composition) assemble(ctx context.Context, p assemble.Program, kind string, content ...any) (string, hcl.Diagnostics) {
	c.describe(&p)
	c.forget()
	s := p.Source
	key, err := s.Key(kind, content, p.Verbs, c.Constants, p.Capacities, c.Choice.Grains, c.Choice.Invariants, c.Choice.Except, c.sides)
	if err != nil {
		return "", hcl.Diagnostics{s.Env.CacheError(err)}
	}
	return s.Env.Program(key, func(work string) (string, hcl.Diagnostics) {
		files, diags := p.Files()
		if diags.HasErrors() {
			return "", diags
		}
		built, more := s.Build(ctx, work, files)
		return built, append(diags, more...)
	})
}

// describe fills in what a program of the composition has from the composition, except a source
// that is given.
func (c *Composition) describe(p *assemble.Program) {
	if p.Source == nil {
		p.Source = c.source
	}
	p.Catalog, p.Chosen, p.Constants, p.LeastBudgets = c.Catalog, c.Chosen(), c.Constants, c.budgets
	p.Invariants = c.Selected()
	if p.Started == nil {
		p.Sides = c.sides
	}
}

// overlay returns the specification's package with the manifest's constants.
func (c *Composition) overlay() (map[string][]byte, hcl.Diagnostics) {
	var p assemble.Program
	c.describe(&p)
	return p.Overlay()
}

// Mutants are changes of the code under test, each in the fine and in the mixed composition of a
// comparison: level L3.
type Mutants struct {
	*Comparison
	List []mutate.Mutant // that were drawn
	// Sites is the number of all mutants that compile.
	Sites int
	// Sides are the compositions that are explored, that with the finer grains first. Both select
	// the same invariants.
	Sides [2]*Composition
	// Apart are the selected invariants that only one composition offers: they are not judged.
	Apart []string

	contents map[string][]byte
}

// Mutants draws at most n mutants of the modules under test by a seed. It is nil where no coarse
// grain is chosen, or with errors.
func (c *Composition) Mutants(n int, seed uint64) (*Mutants, hcl.Diagnostics) {
	x, diags := c.Compare()
	if x == nil || diags.HasErrors() {
		return nil, diags
	}
	m := &Mutants{Comparison: x}
	m.sides()
	all, more := m.find()
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	m.Sites, m.List = len(all), mutate.Draw(all, n, seed)
	return m, diags
}

// sides makes the compositions that are explored. Both have the invariants that both offer.
func (m *Mutants) sides() {
	for k, c := range []*Composition{m.Fine, m.Mixed} {
		side := *c
		side.sides = nil
		m.Sides[k] = &side
	}
	offered, _ := m.Sides[0].Offered()
	var both []string
	for _, p := range m.Mixed.Selected() {
		name := namesOf([]grains.PropertyDecl{p})[0]
		if slices.ContainsFunc(offered, func(o grains.PropertyDecl) bool { return o.ID == p.ID && o.Instance == p.Instance }) {
			both = append(both, name)
		} else {
			m.Apart = append(m.Apart, name)
		}
	}
	for _, side := range m.Sides {
		side.Choice.Invariants, side.Choice.Except = both, nil
	}
}

// find returns the mutants that compile.
func (m *Mutants) find() ([]mutate.Mutant, hcl.Diagnostics) {
	mixed := m.Sides[1]
	loaded, diags := mixed.load()
	if diags.HasErrors() {
		return nil, diags
	}
	files, more := mixed.overlay()
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	p := &mutate.Package{State: mixed.Catalog.State, Texts: map[string][]byte{}}
	p.Fset, p.Files, p.Info, p.Types = loaded.Syntax()
	for _, path := range mixed.source.Files() {
		text, changed := files[path]
		if !changed {
			var err error
			if text, err = host.ReadFile(path); err != nil {
				return nil, append(diags, configs.CannotRead(hcl.Range{}, err, err.Error()+"."))
			}
		}
		p.Texts[path] = text
	}
	all, err := mutate.Compiling(p, mutate.Find(p, m.scope()))
	if err != nil {
		return nil, append(diags, configs.Errorf(CodeSpecInvalid, "Specification does not compile", hcl.Range{}, "%v.", err))
	}
	return all, diags
}

// scope returns the functions of the actions under test that both compositions have, and those of
// everything else.
func (m *Mutants) scope() (s mutate.Scope) {
	cat, targets := m.Mixed.Catalog, m.Mixed.Targets()
	under := map[string]bool{} // actions
	fine := m.Fine.Chosen()
	for _, g := range m.Mixed.Chosen() {
		both := slices.Contains(fine, g)
		for _, a := range g.Actions {
			if both && slices.ContainsFunc(g.Covers, func(x string) bool { return slices.Contains(targets, x) }) {
				under[a] = true
			}
		}
	}
	other := func(list ...*grains.Function) {
		for _, fn := range list {
			if fn != nil {
				s.Others = append(s.Others, *fn)
			}
		}
	}
	rules := slices.Clone(cat.Rules)
	properties := slices.Concat(cat.Invariants, cat.Constraints, cat.Goals)
	var actions []string
	for _, g := range slices.Concat(fine, m.Mixed.Chosen()) {
		rules, actions = append(rules, g.Rules...), append(actions, g.Actions...)
		properties = slices.Concat(properties, g.Invariants, g.Constraints, g.Goals)
		for _, x := range g.Stands {
			other(x.Params, x.Before)
		}
	}
	for k := range cat.Actions {
		switch a := &cat.Actions[k]; {
		case under[a.Name]:
			s.Effects = append(s.Effects, a.Effect)
			if a.Guard != nil {
				s.Guards = append(s.Guards, *a.Guard)
			}
		case slices.Contains(actions, a.Name):
			other(a.Guard, &a.Effect)
		}
	}
	for _, r := range rules {
		switch {
		case !under[r.On]:
			other(r.When, r.After)
		case r.When != nil:
			s.Guards = append(s.Guards, *r.When)
		default:
			s.Effects = append(s.Effects, *r.After)
		}
	}
	for _, p := range properties {
		other(p.Check)
	}
	for k := range cat.Liveness {
		other(cat.Liveness[k].From, &cat.Liveness[k].To)
	}
	other(&cat.Init)
	return s
}

// switched returns the contents of the files that have the mutants.
func (m *Mutants) switched() (map[string][]byte, hcl.Diagnostics) {
	if m.contents != nil {
		return m.contents, nil
	}
	mixed := m.Sides[1]
	files, diags := mixed.overlay()
	if diags.HasErrors() {
		return nil, diags
	}
	texts := map[string][]byte{}
	for _, x := range m.List {
		if texts[x.File] = files[x.File]; texts[x.File] == nil {
			text, err := host.ReadFile(x.File)
			if err != nil {
				return nil, append(diags, configs.CannotRead(hcl.Range{}, err, err.Error()+"."))
			}
			texts[x.File] = text
		}
	}
	m.contents = mutate.Switch(&mutate.Package{Texts: texts}, m.List)
	return m.contents, diags
}

// Assemble builds the program of a side with all mutants, or finds it in the cache, and returns its
// path. Side is 0 for the finer grains and 1 for the coarse ones.
func (m *Mutants) Assemble(ctx context.Context, side int) (string, hcl.Diagnostics) {
	contents, diags := m.switched()
	if diags.HasErrors() {
		return "", diags
	}
	c := m.Sides[side]
	plain, more := assemble.Read(c.source)
	if diags = append(diags, more...); diags.HasErrors() {
		return "", diags
	}
	p := assemble.Program{Verbs: []assemble.Verb{assemble.Check}, Capacities: c.capacities(plain), Contents: contents, Mutant: mutate.Number}
	return c.assemble(ctx, p, "mutants", digestOf(relativeTo(c.source.Folder, contents)))
}

// relativeTo returns contents by paths that are the same on every machine.
func relativeTo(folder string, contents map[string][]byte) map[string]string {
	out := map[string]string{}
	for path, text := range contents {
		if rel, err := filepath.Rel(folder, path); err == nil {
			path = rel
		}
		out[path] = string(text)
	}
	return out
}

// AssembleComparison builds the program that compares both compositions with a mutant, or finds it
// in the cache, and returns its path.
func (m *Mutants) AssembleComparison(ctx context.Context) (string, hcl.Diagnostics) {
	contents, diags := m.switched()
	if diags.HasErrors() {
		return "", diags
	}
	return m.Comparison.assembleWith(ctx, assemble.Program{Contents: contents, Mutant: mutate.Number}, digestOf(relativeTo(m.Fine.source.Folder, contents)))
}

// outcomes is the folder of the cache for outcomes of mutants.
const outcomes = "mutants"

// key returns the key of the outcome of a mutant: k is its place in the list, or -1 for the
// specification itself. Limits are those of the explorations, where these decide.
func (m *Mutants) key(k int, limits string) (string, error) {
	of := []any{mutate.Version, limits, m.Mixed.Manifest.Check.Deadlock.Value}
	for _, side := range m.Sides {
		of = append(of, side.Constants, side.Choice)
	}
	if k >= 0 {
		of = append(of, m.List[k].Identity())
	}
	return m.Fine.source.Key(slices.Concat([]any{"mutant"}, of)...)
}

// Outcome returns the outcome that StoreOutcome kept last; nil where there is none.
func (m *Mutants) Outcome(k int, limits string) json.RawMessage {
	key, err := m.key(k, limits)
	if err != nil {
		return nil
	}
	return m.Fine.source.Env.Load(outcomes, key)
}

// StoreOutcome keeps the outcome of a mutant. A cache that cannot be written costs time and nothing
// else.
func (m *Mutants) StoreOutcome(k int, limits string, outcome json.RawMessage) {
	if key, err := m.key(k, limits); err == nil {
		m.Fine.source.Env.Save(outcomes, key, outcome)
	}
}

// MutantsDigest identifies level L3 of the composition: its comparison, the operators, and whether
// deadlocks are violations.
func (c *Composition) MutantsDigest() (string, hcl.Diagnostics) {
	d, diags := c.ComparisonDigest()
	if diags.HasErrors() {
		return "", diags
	}
	return digestOf("mutants", mutate.Version, d.Whole, c.Manifest.Check.Deadlock.Value)[:32], diags
}
