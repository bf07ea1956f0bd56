package interaction

import "slices"

// outside returns the fields of the State that actions of the mixed composition write and that
// neither a guard nor a selected property can depend on. They lie outside the cone of influence.
// Raised assertions end a step, so they are inside.
//
// What an effect reads to choose a branch or an element counts as what it writes there is computed
// from, so the cone is an over-approximation, as footprints are.
func (a *analysis) outside() (out []string) {
	cone := newVarSet()
	inside := func(prs ...*print) {
		for _, pr := range prs {
			for v, reads := range pr.reads {
				if reads {
					cone.add(v, reason{from: -1})
				}
			}
		}
	}
	var actions []*print
	for _, u := range a.mixed.units {
		actions = append(actions, u.actions...)
	}
	inside(actions...)
	inside(a.invariants...)
	inside(a.constraints...)
	inside(a.goals...)
	for v, of := range a.prints.analyzer.Variables {
		if of.Value == "Raised" {
			cone.add(v, reason{from: -1})
		}
	}
	for k := 0; k < len(cone.order); k++ {
		for _, pr := range actions {
			if w := pr.writes[cone.order[k]]; w != nil {
				for x, is := range w.sources {
					if is {
						cone.add(x, reason{from: cone.order[k]})
					}
				}
			}
		}
	}
	written, kept := []string{}, map[string]bool{}
	for v, of := range a.prints.analyzer.Variables {
		f := fieldOf(of.Name)
		kept[f] = kept[f] || cone.has(v)
		if slices.ContainsFunc(actions, func(pr *print) bool { return pr.writes[v] != nil }) && !slices.Contains(written, f) {
			written = append(written, f)
		}
	}
	for _, f := range written {
		if !kept[f] {
			out = append(out, f)
		}
	}
	return out
}
