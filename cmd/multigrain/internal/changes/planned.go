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
// Why it is right. All compositions with these grains that are allowed are predicted as those of
// plan, from the finest to the coarsest. The first that fits is taken. If none does, it is the
// coarsest one, as without a budget.
//
// What it costs. A program and a short exploration for each composition down to the one that is
// taken.

// Planning says how untouched modules get their grains.
type Planning struct {
	plan.Probing
	Note func(format string, args ...any)
}

// finest returns the finest alternative that fits. First is the coarsest one that is allowed, and
// rest are the alternatives after it.
func (x *Changed) finest(base *session.Run, first *allowed, rest []compose.Alternative, out string, how *Planning) *allowed {
	all := []*allowed{first}
	d := &result.Plan{Verdict: verdicts.Undecided, Budget: how.Budget.Seconds(), Targets: first.of.Targets, Covers: []result.Cover{}, Rejected: []result.Rejected{}}
	for _, a := range rest {
		if !slices.Equal(a.Touched, first.of.Touched) || a.Fine != first.of.Fine {
			continue
		}
		if len(all) == plan.Most {
			d.Omitted++
			continue
		}
		if o, why := x.composed(base, a, out); why == "" {
			all = append(all, o)
		} else {
			d.Rejected = append(d.Rejected, result.Rejected{Grains: refsOf(a.Grains), Why: why})
		}
	}
	x.Plan = d
	slices.SortStableFunc(all, func(a, b *allowed) int { return plan.Finer(&a.of, &b.of) })
	for _, o := range all {
		if base.Env.Soft.Err() != nil {
			d.Reason = "interrupted before a composition that fits was found"
			return first
		}
		c := result.Cover{Grains: refsOf(o.of.Grains)}
		how.Note("%s", words.ListOr(c.Grains, ""))
		how.Predict(o.run, &c)
		d.Covers = append(d.Covers, c)
		if c.Fits {
			d.Verdict = verdicts.Planned
			return o
		}
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
	taken := d.Covers[len(d.Covers)-1]
	text := fmt.Sprintf("; the finest grains that fit into %s: about %s in %s", words.Elapsed(d.Budget), words.Plural(taken.States, "state"), words.Elapsed(taken.Seconds))
	if finer := len(d.Covers) - 1; finer > 0 {
		text += fmt.Sprintf("; %s with finer grains not", words.Plural(int64(finer), "composition"))
	}
	return text
}
