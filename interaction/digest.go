package interaction

import (
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/initial"
	"github.com/multigrain/multigrain/interaction/internal/normal"
)

// Digests are digests of what a comparison rests on: see package normal.
type Digests = normal.Digests

// Compared says which compositions are compared, for Digests.
type Compared struct {
	Choice  grains.Choice
	Targets []string
	// Against are the grains with which coarse ones are compared, as for Views.
	Against []grains.Ref
	// Endings are the IDs of the liveness properties that are compared.
	Endings []string
	// Open are constants that have several values in one comparison, since bounds grow. Set are all
	// constants that bounds and options set.
	Open, Set []string
	// Whole are digests of the packages whose syntax does not say all, by import path.
	Whole map[string]string
}

// Digests returns digests of what the comparison of a composition with its fine one rests on. That
// is the actions, rules, stand-ins and properties of both, Init, the State, and all that these
// mention. Names of grains and of modules are no part of it, and those of actions, properties and
// variables are: they stand in results. It fails if the catalog has a value that is not known.
func (p *Program) Digests(c Compared) (*Digests, error) {
	r := p.reading()
	x := normal.New(p.normal(c.Whole), c.Open, c.Set)
	d := &digester{p: p, r: r, c: c, code: x.Collect(), actions: map[*initial.Cell]string{}, done: map[string]bool{}, offered: map[string]bool{}}
	for _, a := range r.actions {
		d.actions[r.values.Globals[a.global]] = a.decl.Name
	}
	for _, v := range r.invariants {
		d.offered[propertyName(v.decl)] = true
	}
	chosen, fine := r.sides(c.Choice, c.Against)
	d.system()
	for _, g := range chosen {
		d.grain("grain ", g, r.finer(g, c.Against), fine)
	}
	for _, g := range fine {
		d.grain("finer grain ", g, nil, nil)
	}
	d.liveness()
	return d.code.Digests()
}

// sides returns the grains of a composition and those of its fine one.
func (r *catalogReading) sides(c grains.Choice, against []grains.Ref) (chosen, fine []*grainFuncs) {
	for _, ref := range c.Grains {
		g := r.grain(ref)
		if g == nil {
			continue // reported where the choice is resolved
		}
		chosen = append(chosen, g)
		for _, f := range r.finer(g, against) {
			if !slices.Contains(fine, f) {
				fine = append(fine, f)
			}
		}
	}
	return chosen, fine
}

// Fine returns the grains of the fine composition with which that of a choice is compared.
func (p *Program) Fine(c grains.Choice, against []grains.Ref) (out []grains.Ref) {
	_, fine := p.reading().sides(c, against)
	for _, g := range fine {
		out = append(out, grains.Ref{Module: g.decl.Covers[0], Grain: g.decl.Name})
	}
	return out
}

// normal returns the sources as package normal takes them.
func (p *Program) normal(whole map[string]string) (out []*normal.Package) {
	for _, s := range p.sources {
		out = append(out, &normal.Package{Path: s.path, Types: s.types, Info: s.info, Syntax: s.syntax, Whole: whole[s.path],
			Shared: s.goVersion != "" && semver.Compare("v"+s.goVersion, "v1.22") < 0})
	}
	return out
}

// digester writes the roots of a comparison.
type digester struct {
	p       *Program
	r       *catalogReading
	c       Compared
	code    *normal.Code
	actions map[*initial.Cell]string
	done    map[string]bool // names of actions
	offered map[string]bool // names of invariants of the composition
}

// system writes what the System brings to every composition.
func (d *digester) system() {
	d.code.Root("function Init", func(w *normal.Writer) {
		d.function(w, d.r.init)
	})
	d.code.Root("type State", func(w *normal.Writer) {
		w.Type(d.r.state)
		for _, role := range d.r.cat.Roles {
			w.Number(role.First)
			w.Number(role.Count)
		}
	})
	d.rules(d.r.rules)
	d.properties("invariant ", d.r.invariants, d.c.Choice.Invariants, d.c.Choice.Except)
	d.properties("constraint ", d.r.constraints, d.c.Choice.Constraints, nil)
}

// grain writes a grain of the composition, or of the fine one. Finer are the grains with which it
// is compared, of all the grains of the fine composition.
func (d *digester) grain(kind string, g *grainFuncs, finer, fine []*grainFuncs) {
	d.code.Root(kind+g.decl.Covers[0]+"/"+g.decl.Name, func(w *normal.Writer) {
		target := slices.ContainsFunc(g.decl.Covers, func(m string) bool { return slices.Contains(d.c.Targets, m) })
		for _, flag := range []bool{g.decl.Coarsens, d.r.environment(g), target} {
			w.Number(map[bool]int{true: 1}[flag])
		}
		for _, f := range finer {
			w.Number(slices.Index(fine, f))
		}
		w.Text(strings.Join(g.decl.Actions, " "))
		for _, b := range g.decl.Budgets {
			w.Text(b.Bound + " of " + strings.Join(b.Actions, " "))
			w.Number(d.budget(b.Bound))
		}
		w.Number(len(g.rules))
		w.Number(len(g.invariants))
	})
	for _, name := range g.decl.Actions {
		d.action(d.r.byName[name])
	}
	d.rules(g.rules)
	d.standIns(g.stands)
	d.properties("invariant ", d.looked(g, finer != nil), d.c.Choice.Invariants, d.c.Choice.Except)
	d.properties("constraint ", g.constraints, d.c.Choice.Constraints, nil)
}

// looked returns the invariants of a grain. Those of a grain of the fine composition count where
// the composition offers one of the same name, or where they are assertions.
func (d *digester) looked(g *grainFuncs, chosen bool) (out []*propertyFuncs) {
	for _, v := range g.invariants {
		name := propertyName(v.decl)
		if chosen {
			d.offered[name] = true
		}
		if d.offered[name] || v.decl.Raises != 0 {
			out = append(out, v)
		}
	}
	return out
}

// budget returns the limit of a budget.
func (d *digester) budget(bound string) int {
	if n, ok := d.c.Choice.Budgets[bound]; ok {
		return n
	}
	for _, b := range d.r.cat.Bounds {
		if b.Name == bound {
			return b.Default
		}
	}
	return grains.Unlimited
}

// action writes an action, once. Its Actor is for traces and diagrams only.
func (d *digester) action(a *actionFuncs) {
	if a == nil || d.done[a.decl.Name] {
		return
	}
	d.done[a.decl.Name] = true
	d.code.Root("action "+a.decl.Name, func(w *normal.Writer) {
		w.Type(a.param)
		w.Value(d.r.values.Globals[a.global].Value, d.named, "Actor")
	})
}

// named returns the name of the action that a pointer leads to.
func (d *digester) named(c *initial.Cell) string { return d.actions[c] }

func (d *digester) function(w *normal.Writer, f *initial.Func) {
	if f == nil {
		w.Word("none")
		return
	}
	w.Value(f, d.named)
}

func (d *digester) rules(list []*ruleFuncs) {
	for _, x := range list {
		name := "rule on " + x.decl.On
		if x.decl.On == "" {
			name = "rule on all actions"
		}
		d.code.Root(name, func(w *normal.Writer) {
			w.Text(x.decl.On + " not " + strings.Join(x.decl.Except, " "))
			d.function(w, x.when)
			d.function(w, x.after)
		})
	}
}

// properties writes those that patterns select. Assertions are written in any case, since those
// that are not selected mask states.
func (d *digester) properties(kind string, list []*propertyFuncs, patterns, except []string) {
	for _, v := range list {
		selects := func(s string) bool { return grains.Selects(s, v.decl.ID, v.decl.Instance) }
		selected := slices.ContainsFunc(patterns, selects) && !slices.ContainsFunc(except, selects)
		if !selected && v.decl.Raises == 0 {
			continue
		}
		d.code.Root(kind+propertyName(v.decl), func(w *normal.Writer) {
			w.Text(propertyName(v.decl) + " " + v.decl.Kind + " " + v.decl.On)
			w.Number(int(v.decl.Raises))
			w.Number(map[bool]int{true: 1}[selected])
			d.function(w, v.check)
		})
	}
}

// standIns writes which actions stand for others, and how.
func (d *digester) standIns(list []*standFuncs) {
	for _, x := range list {
		d.code.Root("stand-in "+x.decl.Action+" for "+x.decl.For, func(w *normal.Writer) {
			w.Text(x.decl.Action + " for " + x.decl.For)
			d.function(w, x.params)
			d.function(w, x.before)
		})
	}
}

// liveness writes the liveness properties that are compared.
func (d *digester) liveness() {
	for _, v := range d.r.liveness {
		if !slices.Contains(d.c.Endings, v.decl.ID) {
			continue
		}
		d.code.Root("liveness property "+v.decl.ID, func(w *normal.Writer) {
			w.Text(v.decl.ID + " unfair " + strings.Join(v.decl.Unfair, " "))
			for _, x := range v.values {
				w.Value(x, d.named)
			}
		})
	}
}
