package compose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// effects warns of bounds and options that the manifest sets to other values than the catalog's,
// and that nothing of the composition reads: their author expects an effect. What an extended
// manifest sets is not judged, since it may be for other grains.
func (r *resolver) effects() {
	repeated := r.repeated()
	var judged []configs.Setting
	for _, s := range slices.Concat(r.m.Bounds, r.m.Options) {
		if (s.Range.Filename == r.m.Path || r.m.Overridden(s.Name)) && r.sets(s) && !slices.Contains(repeated, s.Name) {
			judged = append(judged, s)
		}
	}
	if len(judged) == 0 || len(r.failed) > 0 || r.diags.HasErrors() {
		return
	}
	plain, diags := assemble.Read(r.c.source)
	if diags.HasErrors() {
		return // that it does not compile is reported where it is loaded
	}
	e := &effects{r: r, names: plain.Names(r.cat.State, r.cat.Var)}
	for _, s := range judged {
		if r.picks(s.Name) {
			continue
		}
		what, set, constant := e.declared(s)
		if e.read(e.composition(), set, constant, r.compared(s)) {
			continue
		}
		detail := fmt.Sprintf("Nothing that is composed here reads the %s %q, so its value changes nothing.", what, s.Name)
		if by := e.readers(set, constant); len(by) > 0 {
			detail += " It would be read by " + strings.Join(by, ", ") + "."
		}
		if by := r.switchedBy(s.Name); len(by) > 0 {
			detail = fmt.Sprintf("No grain that is chosen here has steps for the option %q, so its value changes nothing. It is a switch of %s.", s.Name, strings.Join(by, ", "))
		}
		r.report(configs.WithContext(configs.Warnf(CodeNoEffect, upper(what)+" without effect", s.Range, "%s Choose such a grain, or remove the line.", detail), s.Range))
	}
}

// sets reports whether a setting is known and differs from the catalog's default.
func (r *resolver) sets(s configs.Setting) bool {
	for _, b := range r.cat.Bounds {
		if n, ok := s.Int(); b.Name == s.Name && ok {
			return n != b.Default
		}
	}
	for k := range r.cat.Options {
		if o := &r.cat.Options[k]; o.Name == s.Name {
			return r.c.Constants[o.Const] != constant(o, o.Default)
		}
	}
	return false
}

// compared returns the grains that coarse ones of the composition stand for, where a bound is that
// of their comparison, too.
func (r *resolver) compared(s configs.Setting) (out []*grains.GrainDecl) {
	if r.m.Interaction == nil {
		return nil
	}
	if _, own := r.m.Interaction.Bounds.Get(s.Name); own {
		return nil
	}
	todo := r.c.Chosen()
	for len(todo) > 0 {
		g := todo[0]
		todo = todo[1:]
		if !g.Coarsens {
			continue
		}
		for _, from := range g.From {
			for k := range r.cat.Grains {
				if f := &r.cat.Grains[k]; f.Name == from.Grain && f.Covers[0] == from.Module {
					out, todo = append(out, f), append(todo, f)
				}
			}
		}
	}
	return out
}

// effects finds out what reads constants and budgets.
type effects struct {
	r     *resolver
	names *assemble.Names
	all   *assemble.Usage // of the composition
}

// declared returns what a setting is, the bound that it is the limit of, and the constant that it
// sets.
func (e *effects) declared(s configs.Setting) (what, bound, constant string) {
	for _, b := range e.r.cat.Bounds {
		if _, is := s.Int(); b.Name == s.Name && is {
			return "bound", b.Name, b.Const
		}
	}
	for _, o := range e.r.cat.Options {
		if o.Name == s.Name {
			return "option", "", o.Const
		}
	}
	return "setting", "", ""
}

// composition returns what the composition reads.
func (e *effects) composition() *assemble.Usage {
	if e.all != nil {
		return e.all
	}
	x, c := e.names.Usage(), e.r.c
	var actions []string
	for _, g := range c.Chosen() {
		x.Grain(c.Catalog, g)
		actions = append(actions, g.Actions...)
		x.Properties(g.Goals)
	}
	x.Rules(c.Catalog.Rules, actions)
	for _, g := range c.Chosen() {
		x.Rules(g.Rules, actions)
	}
	x.Properties(c.Selected())
	x.Properties(c.Catalog.Goals)
	_, constraints := c.Offered()
	for _, p := range constraints {
		if slices.ContainsFunc(c.Choice.Constraints, func(s string) bool { return grains.Selects(s, p.ID, p.Instance) }) {
			x.Function(p.Check)
		}
	}
	for k := range c.Catalog.Liveness {
		if p := &c.Catalog.Liveness[k]; slices.Contains(c.Choice.Properties, p.ID) || slices.Contains(c.Choice.Properties, "*") {
			x.Function(p.From)
			x.Function(&p.To)
		}
	}
	x.Init(&c.Catalog.Init)
	e.all = x
	return x
}

// read reports whether the composition reads a constant or spends a budget, or other grains do.
func (e *effects) read(x *assemble.Usage, bound, constant string, also []*grains.GrainDecl) bool {
	if constant != "" && x.Reads(constant) || e.spends(e.r.c.Chosen(), bound) {
		return true
	}
	return slices.ContainsFunc(also, func(g *grains.GrainDecl) bool { return e.byGrain(g, bound, constant) })
}

func (e *effects) spends(list []*grains.GrainDecl, bound string) bool {
	return slices.ContainsFunc(assemble.BudgetsOf(list), func(b assemble.Budget) bool { return b.Bound == bound })
}

// byGrain reports whether a grain reads a constant or spends a budget.
func (e *effects) byGrain(g *grains.GrainDecl, bound, constant string) bool {
	x := e.names.Usage()
	x.Grain(e.r.cat, g)
	x.Properties(g.Invariants)
	return constant != "" && x.Reads(constant) || e.spends([]*grains.GrainDecl{g}, bound)
}

// readers returns the grains that read a constant or spend a budget, and the constraints and
// invariants of the system that do.
func (e *effects) readers(bound, constant string) (out []string) {
	for k := range e.r.cat.Grains {
		if g := &e.r.cat.Grains[k]; e.byGrain(g, bound, constant) {
			out = append(out, fmt.Sprintf("grain %q of %s", g.Name, strings.Join(g.Covers, " and ")))
		}
	}
	property := func(what string, list []grains.PropertyDecl) {
		for k := range list {
			x := e.names.Usage()
			x.Properties(list[k : k+1])
			if constant != "" && x.Reads(constant) {
				out = append(out, what+" "+namesOf(list[k : k+1])[0])
			}
		}
	}
	property("invariant", e.r.cat.Invariants)
	property("constraint", e.r.cat.Constraints)
	return out
}

// Room returns bounds times a number. They are those that the manifest leaves out and whose
// constant nothing of the composition reads. The capacity of a channel that its grains do not use
// is such a bound. Other bounds say what the system is, and which behaviours it has.
func (c *Composition) Room(times int) map[string]int {
	plain, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		return nil
	}
	e := &effects{r: &resolver{c: c, m: c.Manifest, cat: c.Catalog}, names: plain.Names(c.Catalog.State, c.Catalog.Var)}
	out := map[string]int{}
	for k := range c.Catalog.Bounds {
		b := &c.Catalog.Bounds[k]
		n := min(b.Default*times, b.Max)
		if _, set := c.Manifest.Bounds.Get(b.Name); !set && n > b.Default && b.Const != "" && !e.read(e.composition(), b.Name, b.Const, nil) {
			out[b.Name] = n
		}
	}
	return out
}

// contradictions reports an expected result that the check block rules out.
func (r *resolver) contradictions() {
	e := r.m.Expect
	if e == nil || len(r.failed) > 0 || r.diags.HasErrors() || slices.ContainsFunc(overridable, r.m.Overridden) {
		return // what is expected is of the manifest as it is written
	}
	check := r.m.Check
	clash := func(at configs.Attr[string], other hcl.Range, note, format string, args ...any) {
		d := at.Errorf(CodeContradiction, "Result cannot be found", format, args...)
		if other.Filename != "" {
			configs.WithRelated(d, other, "%s", note)
		}
		r.report(d)
	}
	if want := e.Invariant.Value; e.Invariant.IsSet() {
		selected := func(p grains.PropertyDecl) bool {
			return grains.Selects(want, p.ID, p.Instance) && (!e.Instance.IsSet() || e.Instance.Value == p.Instance)
		}
		live := slices.Contains(r.cat.LivenessNames(), want)
		switch {
		case e.Verdict.Value == "holds":
			clash(e.Invariant, e.Verdict.Range, "the verdict is stated here", "A run that holds violates no invariant. Expect the verdict \"violated\", or take out the invariant.")
		case live && !slices.Contains(r.c.Choice.Properties, want) && !slices.Contains(r.c.Choice.Properties, "*"):
			clash(e.Invariant, check.DeclRange, "the check block", "The liveness property %q is not checked. Write properties = [%q] in the check block.", want, want)
		case !live && !slices.ContainsFunc(r.c.Selected(), selected):
			at, note := check.Invariants.Range, "these are checked"
			for _, t := range check.Except.Value {
				if id, _, _ := strings.Cut(want, "."); t.Value == want || t.Value == id || strings.HasPrefix(t.Value, want+".") {
					at, note = t.Range, "it is left out here"
				}
			}
			clash(e.Invariant, at, note, "Invariant %q is not checked, so it is never found violated. Take it out of except, add it to invariants, or expect another result.", want)
		}
	}
	switch {
	case e.Kind.Value == "deadlock" && !check.Deadlock.Value:
		clash(e.Kind, check.DeclRange, "the check block", "Deadlocks are not looked for. Write deadlock = true in the check block.")
	case e.Kind.Value == "liveness" && len(r.c.Choice.Properties) == 0:
		clash(e.Kind, check.DeclRange, "the check block", "No liveness property is checked. Name some as properties in the check block.")
	}
}
