package interaction

import (
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// checkRelation reports a grain that replaces others and does not say how it relates to them: one
// with From, or one that covers what the baseline of a module covers. Such a grain would count
// as a baseline, and no comparison would ever be made for it.
//
// Grains of the environment may be alternatives to one another, since they are never compared.
func (r *reader) checkRelation(g *grains.GrainDecl) {
	if g.Coarsens || g.Refines || len(g.Covers) == 0 {
		return
	}
	f := finding(Unrelated, g.Place, "grain %q of module %q replaces other grains and does not say whether it coarsens or refines them",
		g.Name, g.Covers[0])
	f.Grain = g.Covers[0] + "/" + g.Name
	if len(g.From) > 0 {
		for _, ref := range g.From {
			if from := grainDecl(r.out.cat, ref); from != nil {
				f = f.related(from.Place, "it is derived from grain %q of module %q", ref.Grain, ref.Module)
			}
		}
	} else {
		base := r.otherBaseline(g)
		if base == nil {
			return
		}
		f = f.related(base.Place, "grain %q covers module %q, too", base.Name, base.Covers[0])
	}
	r.report(f.remedy("derive it with grains.Coarsen where it leaves steps out, which is then checked, and else with grains.Refine; " +
		"a literal sets From, and Coarsens or Refines"))
}

// otherBaseline returns the baseline of a module that g covers, unless that is g: of the grains
// without From, the one that is named "baseline" or else the first. It is nil for the environment.
func (r *reader) otherBaseline(g *grains.GrainDecl) *grains.GrainDecl {
	cat := r.out.cat
	for _, name := range g.Covers {
		if slices.ContainsFunc(cat.Modules, func(m grains.Module) bool { return m.Name == name && m.Environment }) {
			continue
		}
		var base *grains.GrainDecl
		for k := range cat.Grains {
			x := &cat.Grains[k]
			if len(x.From) > 0 || x.Coarsens || x.Refines || !slices.Contains(x.Covers, name) {
				continue
			}
			if base == nil || x.Name == "baseline" && base.Name != "baseline" {
				base = x
			}
		}
		if base != nil && base != g {
			return base
		}
	}
	return nil
}

// checkSets reports settings of a grain that no manifest could write.
func (r *reader) checkSets(g *grains.GrainDecl, bad func(grains.Place, string, string, ...any)) {
	cat := r.out.cat
	for k, s := range g.Sets {
		if slices.ContainsFunc(g.Sets[:k], func(x grains.Setting) bool { return x.Name == s.Name }) {
			bad(g.Place, "set it once", "grain %q sets %q twice", g.Name, s.Name)
		}
		o := slices.IndexFunc(cat.Options, func(o grains.Option) bool { return o.Name == s.Name })
		b := slices.IndexFunc(cat.Bounds, func(b grains.Bound) bool { return b.Name == s.Name })
		switch {
		case o < 0 && b < 0:
			bad(g.Place, "declare it in Options or in Bounds", "grain %q sets %q, which is no option and no bound of the System", g.Name, s.Name)
		case o >= 0 && b >= 0:
			bad(g.Place, "give one of them another name", "grain %q sets %q, which is an option and a bound", g.Name, s.Name)
		case o >= 0:
			if allowed := cat.Options[o].Allowed(); !slices.Contains(allowed, s.Value) {
				bad(g.Place, "write one of: "+strings.Join(allowed, ", "), "grain %q sets the option %q to %q, which is none of its values",
					g.Name, s.Name, s.Value)
			}
		default:
			if n, err := strconv.Atoi(s.Value); err != nil || n < cat.Bounds[b].Min || n > cat.Bounds[b].Max {
				bad(g.Place, "write a number of its range", "grain %q sets the bound %q to %q, which is not %d to %d",
					g.Name, s.Name, s.Value, cat.Bounds[b].Min, cat.Bounds[b].Max)
			}
		}
	}
}

// checkPicked reports a grain that no manifest can get, or that two ways lead to.
func (r *reader) checkPicked(g *grains.GrainDecl, before []grains.GrainDecl, bad func(grains.Place, string, string, ...any)) {
	if !g.IsPicked() || len(g.Covers) == 0 {
		return
	}
	p, cat := g.Picked, r.out.cat
	base := grainDecl(cat, grains.Ref{Module: g.Covers[0], Grain: p.Grain})
	o := slices.IndexFunc(cat.Options, func(o grains.Option) bool { return o.Name == p.Option })
	switch {
	case base == nil || base.IsPicked():
		bad(g.Place, "name a grain that manifests name", "grain %q is picked by grain %q, which no manifest can name for module %q", g.Name, p.Grain, g.Covers[0])
	case !slices.Equal(base.Covers, g.Covers):
		bad(g.Place, "cover the same modules", "grain %q is picked by grain %q, which covers other modules", g.Name, p.Grain)
	case o < 0:
		bad(g.Place, "declare it in Options", "grain %q is picked by the option %q, which the System does not declare", g.Name, p.Option)
	case !slices.Contains(cat.Options[o].Allowed(), p.Value) || cat.Options[o].Default == p.Value:
		bad(g.Place, "name a value of the option that is not its default", "grain %q is picked by %s = %q, which the option cannot have or has by default", g.Name, p.Option, p.Value)
	}
	for k := range before {
		if x := &before[k]; x.Picked == p && len(x.Covers) > 0 && x.Covers[0] == g.Covers[0] {
			bad(g.Place, "give each its own value", "grain %q is picked as grain %q is", g.Name, x.Name)
		}
	}
}

// standFuncs is a declaration that an action stands for steps that its grain replaces.
type standFuncs struct {
	decl           grains.StandDecl
	coarse, fine   *actionFuncs
	params, before *initial.Func // nil: none
}

// readStands reads the calls of StandsFor.
func (r *reader) readStands(o object, g *grains.GrainDecl) (fs []*standFuncs, ds []grains.StandDecl) {
	what := "a declaration in Stands of " + o.what
	for _, c := range o.list("Stands") {
		v := c.Value
		if i, ok := v.(initial.Interface); ok {
			v = i.Value
		}
		made, ok := v.(initial.Made)
		if !ok || originName(made) != "StandsFor" {
			r.unread(v, what, o.at)
			continue
		}
		f := &standFuncs{coarse: r.actionOf(made.Args[0], what, made.Pos), fine: r.actionOf(made.Args[1], what, made.Pos)}
		if f.coarse == nil || f.fine == nil {
			continue
		}
		f.decl = grains.StandDecl{Action: f.coarse.decl.Name, For: f.fine.decl.Name, Place: r.literal(made.Pos)}
		for k, to := range []**initial.Func{&f.params, &f.before} {
			arg := made.Args[2+k]
			if *to, ok = r.function(&initial.Cell{Value: arg}); !ok {
				r.unread(arg, []string{"the parameters of ", "the state before of "}[k]+what, made.Pos)
			}
		}
		if f.params != nil {
			decl := r.functionDecl(f.params)
			f.decl.Params = &decl
		} else if f.coarse.decl.Param != f.fine.decl.Param {
			r.report(finding(BadCatalog, f.decl.Place, "action %s has parameters of type %s, and %s, for which it stands, of type %s",
				f.decl.Action, f.coarse.decl.Param, f.decl.For, f.fine.decl.Param).
				remedy("give StandsFor a function that yields the parameters of %s", f.decl.For))
		}
		if f.before != nil {
			decl := r.functionDecl(f.before)
			f.decl.Before = &decl
		}
		fs, ds = append(fs, f), append(ds, f.decl)
	}
	return fs, ds
}

// checkStands reports declarations that are about no step of the grain, or about none that it
// replaces.
func (r *reader) checkStands(g *grains.GrainDecl, bad func(grains.Place, string, string, ...any)) {
	replaced := replacedBy(r.out.cat, g)
	for k, d := range g.Stands {
		switch {
		case !g.Coarsens:
			bad(d.Place, "remove Stands, or derive the grain with grains.Coarsen", "grain %q coarsens nothing, so none of its steps stands for others", g.Name)
		case !slices.Contains(g.Actions, d.Action):
			bad(d.Place, "list the action in the Actions of the grain", "grain %q lacks action %s, which stands for %s", g.Name, d.Action, d.For)
		case !slices.Contains(replaced, d.For):
			bad(d.Place, "name an action of the grains that it coarsens", "action %s of grain %q stands for %s, which the grains that it coarsens lack", d.Action, g.Name, d.For)
		case slices.ContainsFunc(g.Stands[:k], func(x grains.StandDecl) bool { return x.Action == d.Action && x.For == d.For }):
			bad(d.Place, "declare it once, and yield all parameters", "action %s of grain %q stands for %s twice", d.Action, g.Name, d.For)
		}
	}
}

// replacedBy returns the actions of the grains that a coarse grain was derived from, directly or
// through other grains.
func replacedBy(cat *grains.Catalog, g *grains.GrainDecl) (out []string) {
	seen := []grains.Ref{}
	for todo := slices.Clone(g.From); len(todo) > 0; todo = todo[1:] {
		from := grainDecl(cat, todo[0])
		if from == nil || slices.Contains(seen, todo[0]) {
			continue
		}
		seen = append(seen, todo[0])
		out = append(out, from.Actions...)
		if from.Coarsens {
			todo = append(todo, from.From...)
		}
	}
	return out
}
