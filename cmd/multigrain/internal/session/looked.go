package session

import (
	"slices"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/modules"
)

// looked counts what a run looked at.
func (r *Run) looked() verdicts.Looked {
	l := verdicts.Looked{}
	r.compared(&l)
	if r.Report != nil {
		r.explored(&l)
	}
	return l
}

// explored counts what an exploration or random walks looked at.
func (r *Run) explored(l *verdicts.Looked) {
	rep := r.Report
	if s := rep.Simulation; s != nil {
		l.Walks, l.Steps = s.Walks, s.Steps
	} else if len(rep.Levels) > 0 {
		l.Initial = rep.Levels[0]
		l.Beyond = rep.Distinct - l.Initial
	}
	if l.Beyond == 0 {
		l.Closed = r.closed(l.Initial)
	}
	l.Judged = r.judged(l.Initial+l.Walks > 0)
}

// closed returns how many of the initial states need no state beyond them: see verdicts.Looked.
// With a state constraint or a masked assertion, steps may have ended outside of what is explored,
// so that enabled steps do not count.
func (r *Run) closed(initial int64) int64 {
	rep := r.Report
	unused := func(a wire.Action) bool { _, listed := r.unused(a.Name); return listed }
	if !slices.ContainsFunc(rep.Actions, func(a wire.Action) bool { return !unused(a) }) {
		return max(initial, 1)
	}
	back := r.taken() && rep.Masked == 0 && len(r.Composition.Choice.Constraints) == 0
	if rep.Simulation == nil && (back || r.request.Options.Deadlock) {
		return initial
	}
	return 0
}

// taken reports whether an action was taken.
func (r *Run) taken() bool {
	return slices.ContainsFunc(r.Report.Actions, func(a wire.Action) bool { return a.Fired > 0 })
}

// judged counts the properties that were evaluated. Explored says that a state was.
func (r *Run) judged(explored bool) (n int64) {
	if !explored {
		return 0
	}
	for _, p := range r.Composition.Selected() {
		if p.Kind == modules.KindState || r.taken() {
			n++
		}
	}
	if l := r.Report.Liveness; l != nil {
		for _, p := range l.Premises {
			n += min(p.True, 1)
		}
	}
	if r.request.Options.Deadlock {
		n++
	}
	return n
}

// compared counts what an examination of interaction preservation looked at.
func (r *Run) compared(l *verdicts.Looked) {
	if r.Analysis != nil {
		l.Grains = int64(len(r.Analysis.Grains))
	}
	if r.Interaction != nil && r.Interaction.Comparison != nil {
		c := r.Interaction.Comparison
		l.Views = int64(c.Views[0] + c.Views[1])
		for _, seen := range c.Looks {
			l.Views += int64(seen.Seen[0] + seen.Seen[1])
		}
	}
}
