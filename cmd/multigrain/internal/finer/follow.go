package finer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// all follows the counterexamples of a run until one is confirmed. It returns the answer for that
// one, or else for the first that is not known, or else for the first. Nil: there is none.
func (x *examiner) all() (out *result.FinerAnswer) {
	spurious := 0
	for k := range x.Report.Violations {
		f := x.one(k)
		switch {
		case f.Verdict == result.Confirmed:
			f.Spurious = spurious
			return f
		case f.Verdict == result.Spurious:
			spurious++
		}
		if out == nil || out.Verdict == result.Spurious && f.Verdict == result.Unfollowed {
			out = f
		}
	}
	if out != nil {
		out.Spurious = spurious
	}
	return out
}

// one follows the k-th counterexample. Each coarse grain that takes a step of it is replaced alone,
// and by grains between it and the finest ones. Then all are replaced by the finest ones, which
// decides. If it is not known, another one that forbids the counterexample does.
func (x *examiner) one(k int) *result.FinerAnswer {
	v := &x.Report.Violations[k]
	out := x.answer()
	out.Verdict, out.Property, out.Counterexample = result.Unfollowed, session.PropertyName(v), x.TracePath(k)
	switch {
	case v.Trace == nil:
		out.Reason = "there is no counterexample"
		return out
	case v.Kind == verdicts.Deadlock || v.Kind == verdicts.Liveness:
		out.Reason = "deadlocks and liveness are not followed; level L2 compares them"
		return out
	}
	var forbids *result.FinerAnswer
	for _, w := range x.rungs(v.Trace) {
		f := *out
		f.Tried = nil
		x.try(v, w, &f)
		out.Tried = append(out.Tried, result.FinerTry{Grains: f.Grains, Verdict: f.Verdict, Step: f.Step, States: f.States, Reason: f.Reason})
		if f.Verdict == result.Spurious && forbids == nil {
			forbids = &f
		}
	}
	x.try(v, session.Within{}, out)
	if out.Verdict == result.Unfollowed && forbids != nil {
		forbids.Tried = out.Tried
		return forbids
	}
	return out
}

// rungs returns the fine compositions between the composition and the finest one, for a
// counterexample.
func (x *examiner) rungs(t *wire.Trace) (out []session.Within) {
	all := coarseGrains(x.Composition)
	for _, g := range all {
		if !slices.ContainsFunc(t.Steps, func(s wire.Step) bool { return slices.Contains(g.Actions, s.Action) }) {
			continue
		}
		var w session.Within
		for _, other := range all {
			if other != g {
				w.Unchanged = append(w.Unchanged, other.Covers[0])
			}
		}
		if between := x.Composition.Between(g); between != nil {
			w.Against = between
			out = append(out, w)
			w.Against = nil
		}
		if len(all) > 1 {
			out = append(out, w)
		}
	}
	return out
}

// roomier is how much room channels get that are full in the fine composition only.
const roomier = 4

// try follows a counterexample in one fine composition. If a channel that the coarse grains do not
// use is full there, it is followed once more with more room.
func (x *examiner) try(v *wire.Violation, w session.Within, out *result.FinerAnswer) {
	for _, w.Room = range []int{1, roomier} {
		out.Baseline, out.Grains = false, nil
		in, diags := x.CompareHere(w)
		if in == nil || diags.HasErrors() {
			out.Reason = "the compositions cannot be compared"
			return
		}
		out.Grains, out.Baseline = replacing(in), len(Coarse(in.Fine)) == 0
		if x.follow(v, in, out); out.Verdict != result.Unfollowed || !strings.Contains(out.Reason, "is full: it holds") {
			return
		}
	}
}

// follow follows a counterexample in a fine composition.
func (x *examiner) follow(v *wire.Violation, in *compose.Comparison, out *result.FinerAnswer) {
	f, err := x.Pursue(in, out.Property, v.Trace, x.how)
	if err != nil {
		out.Reason = err.Error()
		return
	}
	out.States = f.States
	out.Behaviour = narrate.BehaviourOf(f.Trace, narrate.KnownOf(x.Composition.Catalog), false)
	names := strings.Join(out.Grains, ", ")
	switch {
	case f.Violated:
		out.Verdict, out.Reason = result.Confirmed, fmt.Sprintf("%s of %s have the observations of the counterexample, and one violates it after %s",
			words.Plural(f.States, "state"), names, words.Plural(int64(len(f.Trace.Steps)), "step"))
		own := *v
		own.Trace = f.Trace
		out.Trace = x.KeepFine(in, &own, x.traces)
	case f.Step == 0:
		out.Verdict = result.Spurious
		out.Reason = fmt.Sprintf("%s has all its observations and does not violate the property in any of %s", names, words.Plural(f.States, "state"))
	default:
		out.Verdict, out.Step = result.Spurious, f.Step
		x.forbids(v.Trace, f, out)
	}
}

// forbids says which step a fine composition forbids, and why.
func (x *examiner) forbids(t *wire.Trace, f *wire.PreserveFollowed, out *result.FinerAnswer) {
	out.Action = stepText(&t.Steps[f.Step-1])
	out.Because = because(f, narrate.KnownOf(x.Composition.Catalog))
	out.Reason = fmt.Sprintf("%s forbids step %d, %s, because %s", strings.Join(out.Grains, ", "), f.Step, out.Action, out.Because)
	for n := f.Step - 1; n > 0; n-- {
		if own := &t.Steps[n-1]; coarseStep(x.Composition, own.Action) {
			out.Cause, out.CauseStep = stepText(own), n
			out.Reason += fmt.Sprintf("; the last coarse step before is %s, step %d", out.Cause, n)
			break
		}
	}
}

// because says why none of the states with the observations so far has the step.
func because(f *wire.PreserveFollowed, known narrate.Known) string {
	states := "each state with the observations before it"
	text := "its guard is false in " + states
	if f.Enabled {
		text = "it reads other values in " + states
	}
	if d := f.Difference; d != nil && d.Here != nil && d.There != nil {
		text += fmt.Sprintf(": %s is %s in the counterexample and %s in the nearest of them", d.Cell, itf.Text(known.Value(*d.Here)), itf.Text(known.Value(*d.There)))
	}
	return text
}

func stepText(s *wire.Step) string { return s.Action + conform.ParamsText(s.Params) }

// replacing returns the grains that stand for coarse ones in the fine composition.
func replacing(x *compose.Comparison) (out []string) {
	for _, g := range x.Fine.Choice.Grains {
		if !slices.Contains(x.Mixed.Choice.Grains, g) {
			out = append(out, name(g))
		}
	}
	return out
}

func name(r grains.Ref) string { return r.Module + "/" + r.Grain }

// coarseStep reports whether an action is one of a coarse grain.
func coarseStep(c *compose.Composition, action string) bool {
	return slices.ContainsFunc(c.Chosen(), func(g *grains.GrainDecl) bool { return g.Coarsens && slices.Contains(g.Actions, action) })
}
