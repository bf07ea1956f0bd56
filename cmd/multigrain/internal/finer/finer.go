// Package finer does counterexamples of a mixed composition once more in its fine composition, and
// searches after accepted gaps: the flag -finer of check.
package finer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// What it computes. Whether the violation that a composition with coarse grains has is one of the
// composition with the grains that they coarsen, too. And whether that composition violates
// something after a behaviour that the coarse one misses.
//
// Why it is right. The fine composition follows the counterexample by what the modules under test
// observe, within the same bounds: see preserve.Pursue. If it violates the property, its own
// behaviour is a counterexample without any coarse step. If it cannot have some observation, this
// counterexample is none of the protocol. Another one may be. So the search is done again without
// its end at the first violation, and each further counterexample is followed. Then the fine
// composition itself is searched: after each accepted gap, and from its initial states. A violation
// there is a behaviour of the fine composition: see preserve.Search. If a limit ends the search
// after a gap, the exploration from the initial states decides: it has all states that are after
// gaps, and needs less memory for each.
//
// What it costs. A program of both compositions, and an exploration of the fine states that have
// the counterexample's observations. A search is bounded by a number of states.

// Coarse returns the coarse grains of a composition, as module/grain.
func Coarse(c *compose.Composition) (out []string) {
	for _, g := range coarseGrains(c) {
		out = append(out, g.Covers[0]+"/"+g.Name)
	}
	return out
}

func coarseGrains(c *compose.Composition) (out []*grains.GrainDecl) {
	for _, g := range c.Chosen() {
		if g.Coarsens {
			out = append(out, g)
		}
	}
	return out
}

// examiner examines the result of a run.
type examiner struct {
	*session.Run
	how    session.Comparing
	traces session.Traces
	whole  *compose.Comparison // with no coarse grain on the fine side
}

// Examine follows the counterexamples of a run, and searches after the gaps that its manifest
// accepts. Again explores once more and does not end at the first violation. The verdict stays
// violated if a counterexample is confirmed. It becomes violated if the fine composition violates a
// property after a gap. Otherwise the verdict of a violation is undecided, and so is that of a gap
// that was not searched whole.
func Examine(r *session.Run, how session.Comparing, traces session.Traces, again func()) {
	if r.Report == nil || len(Coarse(r.Composition)) == 0 {
		return
	}
	violated := r.Report.Verdict == string(verdicts.Violated)
	if !violated && len(r.Accepted()) == 0 {
		return
	}
	whole, diags := r.CompareHere(session.Within{})
	if whole == nil || diags.HasErrors() {
		r.Add(diags...)
		return
	}
	x := &examiner{Run: r, how: how, traces: traces, whole: whole}
	if violated {
		x.counterexamples(again)
		return
	}
	f := x.answer()
	f.Verdict = result.Nothing
	if r.Finer = f; x.gaps(f) {
		return
	}
	if open := slices.IndexFunc(f.Gaps, func(s result.FinerSearch) bool { return !s.Complete }); open >= 0 {
		if x.fine(f) {
			return
		}
		if !f.Searched.Complete {
			f.Verdict, f.Reason = result.Unfollowed, gapText(&f.Gaps[open])
			if r.Report.Verdict == string(verdicts.Holds) {
				r.Report.Verdict, r.Report.Reason = string(verdicts.Undecided), "the composition holds, and an accepted gap may hide a violation: "+f.Reason
			}
			return
		}
		f.Reason = fmt.Sprintf("%s violates no property: all of its %s were explored", strings.Join(f.Grains, ", "), words.Plural(f.Searched.States, "state"))
		return
	}
	f.Reason = fmt.Sprintf("no property is violated after %s", words.Plural(int64(len(f.Gaps)), "accepted gap"))
}

// Refine follows the counterexamples of a run as Examine does, for a violation that is reported
// elsewhere. If it is not known whether the fine composition has them, the violation stays.
func Refine(r *session.Run, how session.Comparing, traces session.Traces, again func()) {
	if r.Report == nil || r.Report.Verdict != string(verdicts.Violated) {
		return
	}
	found := *r.Report
	if Examine(r, how, traces, again); r.Finer != nil && r.Finer.Verdict == result.Unfollowed {
		*r.Report = found
	}
}

// answer returns an answer about the whole fine composition.
func (x *examiner) answer() *result.FinerAnswer {
	return &result.FinerAnswer{Grains: x.replaced(x.whole), Baseline: len(Coarse(x.whole.Fine)) == 0}
}

// counterexamples follows those of the run, and continues the search if all are spurious.
func (x *examiner) counterexamples(again func()) {
	f := x.all()
	if f.Verdict == result.Spurious {
		first := f
		again()
		if x.Report == nil || x.Env.Soft.Err() != nil {
			return
		}
		if f = x.all(); f == nil {
			f = first
		}
		f.Spurious = max(f.Spurious, first.Spurious)
	}
	x.Finer = f
	switch f.Verdict {
	case result.Confirmed:
		return
	case result.Unfollowed:
		x.undecided(fmt.Sprintf("whether the violation of %s is one of the fine composition, too, is not known: %s", f.Property, f.Reason))
		return
	}
	if x.gaps(f) || x.fine(f) {
		return
	}
	x.undecided(fmt.Sprintf("the counterexample of %s is spurious: %s", f.Property, f.Reason))
}

func (x *examiner) undecided(reason string) {
	x.Report.Verdict, x.Report.Violations, x.Report.Reason = string(verdicts.Undecided), nil, reason
}

// fine explores the fine composition from its initial states. It reports whether it violates a
// property.
func (x *examiner) fine(f *result.FinerAnswer) bool {
	s := result.FinerSearch{}
	f.Searched = &s
	got, err := x.ExploreFine(x.whole, x.how)
	if err != nil {
		s.Reason = err.Error()
		return false
	}
	s.States, s.Complete = got.Distinct, got.Verdict == string(verdicts.Holds)
	if len(got.Violations) == 0 {
		return false
	}
	found := &got.Violations[0]
	s.Complete, s.Property, s.Steps = true, session.PropertyName(found), found.Depth
	return x.violates(f, found, x.whole)
}

// search searches after a behaviour of the fine composition.
func (x *examiner) search(in *compose.Comparison, t *wire.Trace, s *result.FinerSearch) *wire.Violation {
	got, err := x.Search(in, t, x.how)
	if err != nil {
		s.Reason = err.Error()
		return nil
	}
	if s.States, s.Complete = got.States, got.Complete; got.Violation != nil {
		s.Property, s.Steps = session.PropertyName(got.Violation), got.Violation.Depth
	}
	return got.Violation
}

// violates makes a violation of the fine composition the result. It reports false for nil.
func (x *examiner) violates(f *result.FinerAnswer, found *wire.Violation, in *compose.Comparison) bool {
	if found == nil {
		return false
	}
	x.Violate(in, found, x.traces)
	f.Verdict, f.Property, f.Step, f.Action, f.Because = result.Confirmed, session.PropertyName(found), 0, "", ""
	f.Reason = fmt.Sprintf("%s violates it after %s", strings.Join(f.Grains, ", "), words.Plural(int64(found.Depth), "step"))
	f.Counterexample, f.Trace = "", x.TracePath(0)
	return true
}

// gaps searches after each gap that the manifest accepts, in the fine composition within the bounds
// of the run. If a missed behaviour is none there, it is within those of the comparison. It reports
// whether a property is violated.
func (x *examiner) gaps(f *result.FinerAnswer) bool {
	if len(x.Accepted()) == 0 {
		return false
	}
	compared, missed, err := x.Missed(x.how)
	for k := range missed {
		w := &missed[k]
		s := result.FinerSearch{Gap: cmp.Or(w.Lacking, w.Cause, w.Observer), Depth: len(w.Trace.Steps)}
		in := x.whole
		found := x.search(in, w.Trace, &s)
		if s.Reason != "" {
			here := s.Reason
			s.Reason, in = "", compared
			if found = x.search(in, w.Trace, &s); s.Reason != "" {
				s.Reason = here + "; within the bounds of the comparison, too: " + s.Reason
			}
		}
		f.Gaps = append(f.Gaps, s)
		if x.violates(f, found, in) {
			return true
		}
	}
	if err != nil {
		f.Gaps = append(f.Gaps, result.FinerSearch{Gap: strings.Join(x.Accepted(), ", "), Reason: err.Error()})
	}
	return false
}

// gapText says what was searched after a gap.
func gapText(s *result.FinerSearch) string {
	return fmt.Sprintf("after the accepted gap %s, %s", s.Gap, cmp.Or(s.Reason, fmt.Sprintf("%s were examined before a limit came, and none violates a property", words.Plural(s.States, "state"))))
}
