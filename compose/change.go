package compose

import (
	"cmp"
	"slices"

	"github.com/multigrain/multigrain/grains"
)

// What it computes. The compositions that put the modules that a change touches under test at a
// fine grain, and the rest at a coarse one, best first.
//
// Why it is right. The catalog's modules are covered one after the other. A grain is chosen for the
// first module that no grain covers yet, so each set of grains that covers every module once is met
// exactly once. A touched module has only grains that model what changed. Grains that options or
// bounds of the manifest rule out are left out, and noted. Whether a coarse grain preserves what
// the targets see is not decided here: the caller examines the alternatives in order.
//
// What it costs. In the worst case the product of the numbers of grains of all modules, with no
// analysis for any of them. Catalogs have few grains that cover a module, and at most
// maxAlternatives compositions are returned.
//
// Example. A change touches synchronization. Election has the grains baseline and coarse, and
// coarse covers discovery, too:
//
//	1  synchronization/follower-threads, election/coarse (covers discovery), broadcast/coarse
//	2  synchronization/follower-steps, election/coarse, broadcast/coarse

// Alternative is a composition that puts the modules that a change touches under test at a fine
// grain, and the rest at a coarse one. Whether it preserves what the modules under test see is not
// known yet.
type Alternative struct {
	Grains  []grains.Ref // in the order of the catalog's modules
	Targets []string
	// Touched are the grains of modules that the change touches, Actions those of all grains.
	Touched []grains.Ref
	Actions []string
	// Fine is how far the touched modules are from their finest grains, in refinements.
	// Alternatives of the same number are equal.
	Fine int
	// Coarse is the number of coarse grains.
	Coarse int
	// Options and Bounds are values that the grains need, or that a caller asks for. Bounds are
	// those of walks on the implementation with the name Implementation.
	Options, Bounds []grains.Setting
	Implementation  string
}

// Lacking is a grain that fits a change and that the manifest's options or bounds rule out.
type Lacking struct {
	Grain grains.Ref
	Need  string // as option = "value", or bound >= 1
}

// maxAlternatives bounds the compositions that are examined for one change.
const maxAlternatives = 64

// Alternatives returns the compositions for a change, best first: touched modules at the finest
// grain that models what changed, then the others at the grains with the fewest actions. Of equally
// many actions those with the most coarse grains come first. Touched are the modules with the names
// of the grains that model what changed. A module for which none of these fits keeps the grain that
// it has. Modules of the environment and optional ones are chosen as the composition at hand has
// them.
//
// Where the change touches the environment only, the composition at hand stays, with the
// environment's finest grain that models it.
func (c *Composition) Alternatives(touched map[string][]string) ([]Alternative, []Lacking) {
	return c.alternatives(&chooser{c: c, touched: touched})
}

// alternatives enumerates what a chooser allows.
func (c *Composition) alternatives(e *chooser) ([]Alternative, []Lacking) {
	e.taken = map[string]bool{}
	for m := range e.touched {
		if x := c.module(m); x != nil && !x.Environment {
			e.targets = append(e.targets, m)
		}
	}
	e.choose(0, nil)
	slices.SortStableFunc(e.found, func(a, b ranked) int {
		return cmp.Or(a.fine-b.fine, a.moved-b.moved, a.actions-b.actions, b.coarse-a.coarse)
	})
	var out []Alternative
	for _, r := range e.found[:min(len(e.found), maxAlternatives)] {
		a := Alternative{Fine: r.fine, Coarse: r.coarse}
		for _, g := range r.grains {
			ref := grains.Ref{Module: g.Covers[0], Grain: g.Name}
			a.Grains, a.Actions = append(a.Grains, ref), append(a.Actions, g.Actions...)
			if _, ok := e.touched[g.Covers[0]]; ok {
				a.Touched = append(a.Touched, ref)
				a.settle(c, g, e.loose)
			}
		}
		for _, m := range c.Catalog.Modules {
			if slices.Contains(e.targets, m.Name) || len(e.targets) == 0 && slices.Contains(c.Targets(), m.Name) {
				a.Targets = append(a.Targets, m.Name)
			}
		}
		out = append(out, a)
	}
	return out, e.lacking
}

func (c *Composition) module(name string) *grains.Module {
	for k := range c.Catalog.Modules {
		if c.Catalog.Modules[k].Name == name {
			return &c.Catalog.Modules[k]
		}
	}
	return nil
}

// chosenFor returns the grain that covers a module in the composition at hand; nil where it has
// none.
func (c *Composition) chosenFor(module string) *grains.GrainDecl {
	for _, g := range c.Chosen() {
		if slices.Contains(g.Covers, module) {
			return g
		}
	}
	return nil
}

// chooser enumerates compositions module by module.
type chooser struct {
	c       *Composition
	touched map[string][]string
	targets []string
	taken   map[string]bool // modules that are covered so far
	found   []ranked
	lacking []Lacking
	// keep prefers the grains of the composition at hand for modules that are not touched. Loose
	// allows grains of touched modules whose options and bounds can be set.
	keep, loose bool
}

type ranked struct {
	grains []*grains.GrainDecl
	// fine is how far the touched modules are from their finest grains, actions the number of
	// actions of the others. Moved counts those of the others that have another grain than in the
	// composition at hand.
	fine, moved, actions int
	coarse               int // number of coarse grains
}

// choose covers the modules from the k-th on.
func (e *chooser) choose(k int, so []*grains.GrainDecl) {
	all := e.c.Catalog.Modules
	for k < len(all) && (e.taken[all[k].Name] || !e.requires(&all[k])) {
		k++
	}
	if k == len(all) {
		e.complete(so)
		return
	}
	for _, g := range e.candidates(&all[k]) {
		if slices.ContainsFunc(g.Covers, func(m string) bool { return e.taken[m] }) {
			continue
		}
		for _, m := range g.Covers {
			e.taken[m] = true
		}
		e.choose(k+1, append(so[:len(so):len(so)], g))
		for _, m := range g.Covers {
			e.taken[m] = false
		}
	}
}

// requires reports whether the composition must have the module. It does without an optional module
// whose grains do not fit.
func (e *chooser) requires(m *grains.Module) bool {
	names, touched := e.touched[m.Name]
	return !m.Optional || e.c.chosenFor(m.Name) != nil || touched && len(e.fineOf(m, names)) > 0
}

// candidates returns the grains that a module can have.
func (e *chooser) candidates(m *grains.Module) (out []*grains.GrainDecl) {
	if names, ok := e.touched[m.Name]; ok {
		if fine := e.fineOf(m, names); len(fine) > 0 {
			return fine
		}
		// It keeps its grain, and the caller names what that does not model.
		if have := e.c.chosenFor(m.Name); have != nil {
			return []*grains.GrainDecl{have}
		}
	}
	if have := e.c.chosenFor(m.Name); have != nil && (m.Environment || len(e.targets) == 0) {
		return []*grains.GrainDecl{have}
	}
	for k := range e.c.Catalog.Grains {
		g := &e.c.Catalog.Grains[k]
		if slices.Contains(g.Covers, m.Name) && e.fits(g) && !slices.ContainsFunc(g.Covers, func(x string) bool {
			_, touched := e.touched[x]
			return touched || !e.requires(e.c.module(x))
		}) {
			out = append(out, g)
		}
	}
	return out
}

// fineOf returns the grains of a touched module, the finest first: those that model what changed.
func (e *chooser) fineOf(m *grains.Module, names []string) (out []*grains.GrainDecl) {
	for k := range e.c.Catalog.Grains {
		g := &e.c.Catalog.Grains[k]
		if !g.Coarsens && g.Covers[0] == m.Name && slices.Contains(names, g.Name) && (e.loose && e.c.settable(g) || e.fits(g)) {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b *grains.GrainDecl) int { return e.c.depth(b) - e.c.depth(a) })
	return out
}

// fits reports whether options and bounds are as a grain needs them; if not, that is remembered.
func (e *chooser) fits(g *grains.GrainDecl) bool {
	option, bound := e.c.lacks(g)
	excluded, value := e.c.excludes(g)
	l := Lacking{Grain: grains.Ref{Module: g.Covers[0], Grain: g.Name}}
	set := e.c.differs(g)
	switch {
	case set != nil:
		l.Need = set.Name + " = " + set.Value
	case excluded != nil:
		l.Need = "another value of " + excluded.Option + " than " + value
	case option != nil:
		l.Need = option.Option + " = " + constant(&grains.Option{Values: []string{""}}, option.Value)
	case bound != nil:
		l.Need = bound.Bound + " of at least " + text(ctyInt(bound.Least))
	default:
		return true
	}
	if !slices.Contains(e.lacking, l) {
		e.lacking = append(e.lacking, l)
	}
	return false
}

// depth returns how often a grain was refined since the baseline.
func (c *Composition) depth(g *grains.GrainDecl) int {
	most := 0
	for _, ref := range g.From {
		for k := range c.Catalog.Grains {
			if x := &c.Catalog.Grains[k]; x.Name == ref.Grain && x.Covers[0] == ref.Module && x != g {
				most = max(most, 1+c.depth(x))
			}
		}
	}
	return most
}

// complete records a composition in which every grain has the grains that it requires.
func (e *chooser) complete(so []*grains.GrainDecl) {
	r := ranked{grains: so}
	for _, g := range so {
		if g.Coarsens {
			r.coarse++
		}
		for _, need := range g.Requires {
			if !slices.ContainsFunc(so, func(x *grains.GrainDecl) bool { return e.c.Catalog.Fulfils(x, need) }) {
				return
			}
		}
		if names, ok := e.touched[g.Covers[0]]; ok {
			if fine := e.fineOf(e.c.module(g.Covers[0]), names); slices.Contains(fine, g) {
				r.fine += e.c.depth(fine[0]) - e.c.depth(g)
			}
			continue
		}
		if r.actions += len(g.Actions); e.keep && e.c.chosenFor(g.Covers[0]) != g {
			r.moved++
		}
	}
	e.found = append(e.found, r)
}
