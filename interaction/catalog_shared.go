package interaction

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/speclint"
)

// checkShared reports where the System or an action depends on whether slices share their elements.
// The catalog would not be the value that the program has. What cannot be read for this reason gets
// no finding of its own.
func (r *reader) checkShared(system *ssa.Global) bool {
	found := r.out.values.Shared(func(g *ssa.Global) bool {
		return g == system || g.Pkg == r.p.ssa && isNamed(g.Type().(*types.Pointer).Elem(), modulesPath, "Action") != nil
	})
	for _, u := range found {
		r.report(finding(SharedSlice, r.at(u.Pos), "%s", u.Why).remedy("%s", speclint.SharedSlice.Remedy))
	}
	return len(found) > 0
}
