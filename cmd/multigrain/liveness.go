package main

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
)

// live refuses what liveness properties cannot be checked with: states that stand for others or are left out, and behaviours that are cut
// off, can hide a behaviour without end or make one up.
func (o *outcome) live(on reductions) {
	check := o.manifest.Check
	if len(o.comp.Choice.Properties) == 0 {
		return
	}
	for _, r := range []struct {
		what, remedy string
		on           bool
	}{
		{"symmetry", "Switch it off", on.symmetry || check.Symmetry.Or(false)},
		{"partial-order reduction", "Switch it off", on.por || check.POR.Or(false)},
		{"variables left out of the state", "Switch slice off", on.slice || check.Slice.Or(false)},
		{"state constraints", "Bound the specification otherwise", len(check.Constraints.Value) > 0},
	} {
		if r.on {
			o.add(check.Properties.Errorf(codes.Liveness, "Liveness not checked",
				"Liveness properties are not checked with %s, which does not keep all behaviours. %s, or check the properties in a manifest of their own.",
				r.what, r.remedy))
		}
	}
}
