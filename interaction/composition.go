package interaction

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Composed are the footprints of a composition: what an assembled program needs of them as tables.
type Composed struct {
	Actions     []modules.Footprint `json:"actions"`
	Invariants  []modules.Footprint `json:"invariants"` // selected ones
	Constraints []modules.Footprint `json:"constraints,omitempty"`
	Goals       []modules.Footprint `json:"goals,omitempty"`
	Init        modules.Footprint   `json:"init"`
	// Untouched are the fields of the State that nothing chosen uses: their capacity may be 0.
	Untouched []string `json:"untouched,omitempty"`
}

// Footprints computes the footprints of a choice, each action's with the rules that ride on it
// there. A footprint is trustworthy only if there is no error among the findings.
func (p *Program) Footprints(c grains.Choice) (*Composed, []Finding) {
	a, findings := p.analysis(c, nil)
	if a == nil {
		return nil, findings
	}
	f := a.prints
	out := &Composed{Init: *f.public(a.init)}
	for _, u := range a.mixed.units {
		for _, pr := range u.actions {
			out.Actions = append(out.Actions, *f.public(pr))
		}
	}
	lists := []*[]modules.Footprint{&out.Invariants, &out.Constraints, &out.Goals}
	for k, prs := range [][]*print{a.invariants, a.constraints, a.goals} {
		for _, pr := range prs {
			*lists[k] = append(*lists[k], *f.public(pr))
		}
	}
	out.Untouched = a.untouched()
	return out, findings
}

// unit is a module of a composition: a grain with the modules that it covers.
type unit struct {
	name    string // the modules that it covers, with + between
	grain   *grainFuncs
	env     bool
	target  bool
	actions []*print
}

// composition is a set of grains with the rules that they and the System bring.
type composition struct {
	units []*unit
	rules []*ruleFuncs
}

// compose makes a composition of grains, rules in the order of grains.Compose.
func (f *footprints) compose(r *catalogReading, chosen []*grainFuncs, targets []string) *composition {
	c := &composition{}
	var own []*ruleFuncs
	for _, g := range chosen {
		c.rules = append(c.rules, g.rules...)
		if !r.environment(g) {
			own = append(own, g.rules...)
		}
	}
	c.rules, own = append(c.rules, r.rules...), append(own, r.rules...)
	for _, g := range chosen {
		u := &unit{name: strings.Join(g.decl.Covers, "+"), grain: g, env: r.environment(g)}
		for _, m := range g.decl.Covers {
			u.target = u.target || slices.Contains(targets, m)
		}
		for _, name := range g.decl.Actions {
			if a := r.byName[name]; a != nil && a.effect != nil {
				f.action(a, nil) // shorter lists of rules first: longer ones continue from them
				of := f.action(a, own)
				pr := f.action(a, c.rules)
				pr.own = of
				u.actions = append(u.actions, pr)
			}
		}
		c.units = append(c.units, u)
	}
	return c
}

// possible leaves out the actions that cannot be enabled: no behaviour has a step of them.
func (c *composition) possible() *composition {
	for _, u := range c.units {
		u.actions = slices.DeleteFunc(u.actions, (*print).never)
	}
	return c
}

// never reports whether the guard of an action is constantly false. What could not be analysed says
// nothing.
func (pr *print) never() bool { return pr.raw.Never && !HasErrors(pr.findings) }

// environment reports whether a grain covers a module of the environment.
func (r *catalogReading) environment(g *grainFuncs) bool {
	return slices.ContainsFunc(r.cat.Modules, func(m grains.Module) bool { return m.Environment && slices.Contains(g.decl.Covers, m.Name) })
}

// has reports whether an action belongs to the composition.
func (c *composition) has(action string) bool {
	return slices.ContainsFunc(c.units, func(u *unit) bool { return slices.Contains(u.grain.decl.Actions, action) })
}

// finest replaces a grain that coarsens others by those, as long as there are such.
func (r *catalogReading) finest(g *grainFuncs) (out []*grainFuncs) {
	if !g.decl.Coarsens {
		return []*grainFuncs{g}
	}
	for _, ref := range g.decl.From {
		if x := r.grain(ref); x != nil && x != g {
			out = append(out, r.finest(x)...)
		}
	}
	return out
}

func (r *catalogReading) grain(ref grains.Ref) *grainFuncs {
	for k := range r.cat.Grains {
		if d := &r.cat.Grains[k]; d.Name == ref.Grain && len(d.Covers) > 0 && d.Covers[0] == ref.Module {
			return r.grains[k]
		}
	}
	return nil
}

// analysis holds the computed facts about one choice.
type analysis struct {
	p       *Program
	r       *catalogReading
	prints  *footprints
	targets []string

	mixed *composition // as chosen
	fine  *composition // with every coarse grain replaced by those it coarsens
	// merged is the fine composition in another partition: the modules that one coarse grain covers
	// are one module. What only these share is internal to it, and the grain may drop it.
	merged *composition
	// coarse are the chosen units that coarsen, with the units of the fine composition that they
	// stand for.
	coarse []coarsening

	init                           *print
	invariants, constraints, goals []*print
	checked                        []*propertyFuncs // all of these
	selected                       []*propertyFuncs // invariants
}

type coarsening struct {
	unit  *unit
	finer []*unit
	// alone is the fine composition with this coarse grain instead of those it coarsens, and no
	// other.
	alone *composition
}

// analysis resolves a choice. A coarse grain is compared with those of against that cover its
// modules, and without such with the finest ones. One that is compared with itself counts as fine.
// The findings name the code that cannot be analysed.
func (p *Program) analysis(c grains.Choice, targets []string, against ...grains.Ref) (*analysis, []Finding) {
	r := p.reading()
	f := p.footprints()
	if f == nil || HasErrors(r.findings) {
		return nil, r.findings
	}
	a := &analysis{p: p, r: r, prints: f, targets: targets}
	var findings []Finding
	var chosen, fine []*grainFuncs
	from := map[*grainFuncs][]*grainFuncs{}
	for _, ref := range c.Grains {
		g := r.grain(ref)
		if g == nil {
			findings = append(findings, finding(BadCatalog, grains.Place{}, "there is no grain %q of module %q", ref.Grain, ref.Module))
			continue
		}
		chosen = append(chosen, g)
		from[g] = r.finer(g, against)
		for _, x := range from[g] {
			if !slices.Contains(fine, x) {
				fine = append(fine, x)
			}
		}
	}
	for _, t := range targets {
		if !slices.ContainsFunc(r.cat.Modules, func(m grains.Module) bool { return m.Name == t }) {
			findings = append(findings, finding(BadCatalog, grains.Place{}, "there is no module %q to be a target", t))
		}
	}
	if len(findings) > 0 {
		return nil, findings
	}
	a.mixed = f.compose(r, chosen, targets)
	a.fine = f.compose(r, fine, targets).possible()
	for _, u := range a.mixed.units {
		if u.grain.decl.Coarsens && !slices.Contains(from[u.grain], u.grain) {
			k := coarsening{unit: u}
			for _, x := range a.fine.units {
				if slices.Contains(from[u.grain], x.grain) {
					k.finer = append(k.finer, x)
				}
			}
			var others []*grainFuncs
			for _, x := range fine {
				if !slices.Contains(from[u.grain], x) {
					others = append(others, x)
				}
			}
			k.alone = f.compose(r, append(others, u.grain), targets).possible()
			a.coarse = append(a.coarse, k)
		}
	}
	a.merged = a.merge()
	a.init = f.initial(r.init, r.cat.Init.Place)
	a.selected = a.selectedInvariants(c)
	a.selectProperties(c, chosen)
	return a, a.issues()
}

// finer returns the grains with which a grain is compared.
func (r *catalogReading) finer(g *grainFuncs, against []grains.Ref) []*grainFuncs {
	if named := r.named(g, against); len(named) > 0 {
		return named
	}
	return r.finest(g)
}

// named returns the grains of a list that cover modules of a coarse grain.
func (r *catalogReading) named(g *grainFuncs, list []grains.Ref) (out []*grainFuncs) {
	for _, ref := range list {
		x := r.grain(ref)
		if x != nil && g.decl.Coarsens && slices.ContainsFunc(x.decl.Covers, func(m string) bool { return slices.Contains(g.decl.Covers, m) }) {
			out = append(out, x)
		}
	}
	return out
}

// merge makes one unit of those that a coarse grain stands for.
func (a *analysis) merge() *composition {
	c := &composition{rules: a.fine.rules}
	into := map[*unit]*unit{}
	for _, k := range a.coarse {
		if len(k.finer) < 2 {
			continue
		}
		m := &unit{grain: k.unit.grain}
		var names []string
		for _, u := range k.finer {
			names = append(names, u.name)
			m.target = m.target || u.target
			m.env = m.env || u.env
			m.actions = append(m.actions, u.actions...)
			into[u] = m
		}
		m.name = strings.Join(names, "+")
	}
	for _, u := range a.fine.units {
		if m := into[u]; m == nil {
			c.units = append(c.units, u)
		} else if !slices.Contains(c.units, m) {
			c.units = append(c.units, m)
		}
	}
	return c
}

// selectProperties takes what the System and the chosen grains offer and the choice selects.
func (a *analysis) selectProperties(c grains.Choice, chosen []*grainFuncs) {
	invs, cons, goals := slices.Clone(a.r.invariants), slices.Clone(a.r.constraints), slices.Clone(a.r.goals)
	for _, g := range chosen {
		invs, cons, goals = append(invs, g.invariants...), append(cons, g.constraints...), append(goals, g.goals...)
	}
	selected := func(patterns []string, v *propertyFuncs) bool {
		return slices.ContainsFunc(patterns, func(s string) bool { return grains.Selects(s, v.decl.ID, v.decl.Instance) })
	}
	for _, v := range invs {
		// A property of the steps of an action that not even the finest composition has says
		// nothing.
		if selected(c.Invariants, v) && !selected(c.Except, v) && (a.fine.judges(v) || a.mixed.judges(v)) {
			a.invariants = append(a.invariants, a.prints.judged(v, a.mixed))
			a.checked = append(a.checked, v)
		}
	}
	for _, v := range cons {
		if selected(c.Constraints, v) {
			a.constraints = append(a.constraints, a.prints.property(v))
			a.checked = append(a.checked, v)
		}
	}
	for _, v := range goals {
		a.goals = append(a.goals, a.prints.property(v))
		a.checked = append(a.checked, v)
	}
}

// issues returns the findings of all code that takes part, each once.
func (a *analysis) issues() (out []Finding) {
	seen := map[*print]bool{}
	add := func(prs ...*print) {
		for _, pr := range prs {
			if !seen[pr] {
				seen[pr] = true
				out = append(out, pr.findings...)
			}
		}
	}
	for _, c := range []*composition{a.mixed, a.fine} {
		for _, u := range c.units {
			add(u.actions...)
		}
	}
	add(a.init)
	add(a.invariants...)
	add(a.constraints...)
	add(a.goals...)
	return distinctFindings(out)
}

// distinctFindings keeps the first of those with one place and message: a rule's is found with each
// action it rides on.
func distinctFindings(fs []Finding) (out []Finding) {
	type key struct {
		at   grains.Place
		text string
	}
	seen := map[key]bool{}
	for _, f := range fs {
		_, text, _ := strings.Cut(f.Message, ": ")
		k := key{f.Place, text}
		if len(f.Related) > 0 {
			k.at = f.Related[0].Place
		}
		if !seen[k] {
			seen[k] = true
			out = append(out, f)
		}
	}
	return out
}

// untouched returns the fields of the State that nothing of the mixed composition uses. What Init
// sets in them is never read.
func (a *analysis) untouched() (out []string) {
	used := map[string]bool{}
	mark := func(prs []*print) {
		for _, pr := range prs {
			for k, t := range pr.raw.Touched {
				if t {
					used[fieldOf(a.prints.analyzer.Variables[k].Name)] = true
				}
			}
		}
	}
	for _, u := range a.mixed.units {
		mark(u.actions)
	}
	mark(a.invariants)
	mark(a.constraints)
	mark(a.goals)
	for _, v := range a.prints.analyzer.Variables {
		if f := fieldOf(v.Name); !used[f] && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// never returns the actions of the mixed composition that cannot be enabled.
func (a *analysis) never() (out []string) {
	for _, u := range a.mixed.units {
		for _, pr := range u.actions {
			if pr.never() {
				out = append(out, pr.name)
			}
		}
	}
	return out
}

// fieldOf returns the field of the State that a variable is part of.
func fieldOf(variable string) string {
	if k := strings.IndexAny(variable, ".#"); k >= 0 {
		return variable[:k]
	}
	return variable
}
