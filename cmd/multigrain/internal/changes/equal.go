package changes

import (
	"slices"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// notEqual notes the alternatives whose touched modules have other grains of the same depth as
// those of the chosen one: one alternative for each such choice.
func (x *Changed) notEqual(chosen compose.Alternative, all []compose.Alternative) {
	seen := [][]grains.Ref{chosen.Touched}
	for _, a := range all {
		if a.Fine != chosen.Fine || slices.ContainsFunc(seen, func(r []grains.Ref) bool { return slices.Equal(r, a.Touched) }) {
			continue
		}
		seen = append(seen, a.Touched)
		if len(x.equal) == mostEqual-1 {
			x.LeftOut = append(x.LeftOut, refsOf(a.Touched))
			continue
		}
		x.equal, x.Equal = append(x.equal, a), append(x.Equal, refsOf(a.Touched))
	}
}

// ComposeEqual composes what is as fine as the chosen composition. One that is not allowed is
// rejected with the reason.
func (x *Changed) ComposeEqual(base *session.Run, out string) (all []*session.Run) {
	for _, a := range x.equal {
		if o, why := x.composed(base, a, out); why == "" {
			all = append(all, o.run)
		} else {
			x.Rejected = append(x.Rejected, result.Rejected{Grains: refsOf(a.Touched), Why: why})
		}
	}
	return all
}

// IsKnown reports whether the version before the change has the violation, too, and makes the
// verdict undecided if it does.
func (e *Explored) IsKnown() bool {
	if len(e.Known) == 0 || !slices.Contains(e.Known, violated(e.Run)) {
		return false
	}
	e.Report.Verdict, e.Report.Reason, e.Report.Violations = verdicts.Undecided, KnownText(e.Known), []wire.Violation{}
	return true
}

// KnownText says that violations are none of the change's.
func KnownText(known []string) string {
	return "the specification of the version before the change violates " + words.ListOr(known, "") + ", which says nothing of the change"
}
