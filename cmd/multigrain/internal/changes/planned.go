package changes

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/plan"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
)

// What it computes. The finest composition for a change that is predicted to be explored within a
// budget. The modules that the change touches keep their grains.
//
// Why it is right. All compositions with these grains are in an order from the finest to the
// coarsest. Halving finds one that fits, while the next finer one that is allowed does not, or
// there is none. A still finer one may fit where the prediction does not grow with the order. If
// none fits, it is the coarsest one, as without a budget.
//
// What it costs. A program and a short exploration for each composition that is examined: for 64
// compositions about seven.

// Planning says how untouched modules get their grains.
type Planning struct {
	plan.Probing
	Note func(format string, args ...any)
}

// finest returns the finest alternative that fits. First is the coarsest one that is allowed, and
// rest are the alternatives after it.
func (x *Changed) finest(base *session.Run, first *allowed, rest []compose.Alternative, out string, how *Planning) *allowed {
	all := []*allowed{first} // without a run if it was not composed yet
	for _, a := range rest {
		if slices.Equal(a.Touched, first.of.Touched) && a.Fine == first.of.Fine {
			all = append(all, &allowed{of: a})
		}
	}
	slices.SortStableFunc(all, func(a, b *allowed) int { return plan.Finer(&a.of, &b.of) })
	d := &result.Plan{Verdict: verdicts.Undecided, Budget: how.Budget.Seconds(), Targets: first.of.Targets, Covers: []result.Cover{}, Rejected: []result.Rejected{}}
	x.Plan = d
	var taken *allowed
	tooLarge := 0                             // how many were examined that do not fit
	for from, to := 0, len(all); from < to; { // taken is the one at to
		if base.Env.Soft.Err() != nil {
			d.Verdict, d.Reason = verdicts.Undecided, "interrupted before the finest composition that fits was found"
			return first
		}
		k := (from + to) / 2
		o := all[k]
		if o.run == nil {
			why := ""
			if o, why = x.composed(base, all[k].of, out); why != "" {
				d.Rejected = append(d.Rejected, result.Rejected{Grains: refsOf(all[k].of.Grains), Why: why})
				all, to = slices.Delete(all, k, k+1), to-1
				continue
			}
		}
		c := result.Cover{Grains: refsOf(o.of.Grains)}
		how.Note("%s", words.ListOr(c.Grains, ""))
		how.Predict(o.run, &c)
		d.Covers = slices.Insert(d.Covers, tooLarge, c) // from fine to coarse, too
		if c.Fits {
			d.Verdict, taken, to = verdicts.Planned, o, k
		} else {
			tooLarge, from = tooLarge+1, k+1
		}
	}
	if taken != nil {
		return taken
	}
	d.Reason = fmt.Sprintf("no composition is expected to end within %s, so the coarsest one is taken", words.Elapsed(d.Budget))
	return first
}

// whyPlanned says what a plan has to do with the grain of an untouched module; "" without a plan.
func (x *Changed) whyPlanned(m compose.ModuleChoice) string {
	d := x.Plan
	if d == nil {
		return ""
	}
	if d.Reason != "" {
		return "; the coarsest grains: " + d.Reason
	}
	finer := slices.IndexFunc(d.Covers, func(c result.Cover) bool { return c.Fits })
	taken := d.Covers[finer]
	text := fmt.Sprintf("; the finest grains that fit into %s: about %s in %s", words.Elapsed(d.Budget), words.Plural(taken.States, "state"), words.Elapsed(taken.Seconds))
	if finer > 0 {
		text += fmt.Sprintf("; %s with finer grains not", words.Plural(int64(finer), "composition"))
	}
	return text
}
