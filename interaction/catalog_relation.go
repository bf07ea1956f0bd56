package interaction

import (
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/grains"
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
