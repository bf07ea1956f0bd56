package grains

// Most grains differ from another grain in their steps and keep the rest: they cover the same
// modules and model the same functions. Coarsen and Refine declare such a grain by its difference:
//
//	var electionCoarse = grains.Coarsen(grains.Grain[State]{
//		Name:    "coarse",
//		Doc:     "A quorum elects a leader in one step.",
//		Actions: Actions{&Elect},
//	}, electionBaseline)
//
// The derived grain takes over what says where a grain belongs: Covers, Models, Requires, Sets,
// Needs, NeedsBounds, Excludes and Offers. It never takes over what makes up its steps and what is
// checked of them: Actions, Rules, Stands, Budgets, Invariants, Constraints and Goals. A grain that
// shares these names them, as in Rules: electionBaseline.Rules, or
// slices.Concat(electionBaseline.Rules, ...) with its own.
//
// What the literal sets wins: Covers and Models as a whole, Requires by module, the others by the
// name of the option or bound. Models: []string{} says that the grain models nothing. From is
// always the list of bases.
//
// Package interaction computes the same from the package's code:
// interaction/internal/initial/derive.go.

// Coarsen returns g as a grain that leaves out some of what its bases do. Interaction preservation
// is checked against the bases. A coarse grain of several modules has a base for each.
func Coarsen[S any](g, base Grain[S], more ...Grain[S]) Grain[S] {
	g.Coarsens = true
	return derive(g, append([]Grain[S]{base}, more...))
}

// Refine returns g as a grain with more detail than its bases, or with other detail. Nothing is
// compared with the bases.
func Refine[S any](g, base Grain[S], more ...Grain[S]) Grain[S] {
	g.Refines = true
	return derive(g, append([]Grain[S]{base}, more...))
}

func derive[S any](g Grain[S], bases []Grain[S]) Grain[S] {
	var covers, models []string
	g.From = nil
	for _, b := range bases {
		ref := Ref{Grain: b.Name}
		if len(b.Covers) > 0 { // else the catalog is refused
			ref.Module = b.Covers[0]
		}
		g.From = append(g.From, ref)
		covers = inherit(covers, b.Covers, func(m string) string { return m })
		models = inherit(models, b.Models, func(f string) string { return f })
		g.Requires = inherit(g.Requires, b.Requires, func(r Ref) string { return r.Module })
		g.Sets = inherit(g.Sets, b.Sets, func(s Setting) string { return s.Name })
		g.Needs = inherit(g.Needs, b.Needs, func(n OptionValue) string { return n.Option })
		g.NeedsBounds = inherit(g.NeedsBounds, b.NeedsBounds, func(n LeastBound) string { return n.Bound })
		g.Excludes = inherit(g.Excludes, b.Excludes, func(n Exclusion) string { return n.Option })
		g.Offers = inherit(g.Offers, b.Offers, func(n OptionValue) string { return n.Option })
	}
	if g.Covers == nil {
		g.Covers = covers
	}
	if g.Models == nil {
		g.Models = models
	}
	return g
}

// inherit returns own with the entries of base whose key own does not have. So all entries of base
// with one key are taken over, as the values of an option in Offers. It changes neither.
func inherit[T any](own, base []T, key func(T) string) []T {
	out := own[:len(own):len(own)]
	for _, b := range base {
		known := false
		for _, o := range own {
			known = known || key(o) == key(b)
		}
		if !known {
			out = append(out, b)
		}
	}
	return out
}
