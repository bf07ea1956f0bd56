package finer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

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
// and by grains between it and the finest ones. A behaviour that confirms it there is followed in
// turn in the composition with the finest grains. There all modules without a coarse grain have to
// observe the same, so only steps of the replaced ones are searched for. If that finds nothing, the
// counterexample itself is followed with the finest grains, which decides. If it is not known,
// another one that forbids the counterexample does.
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
		own, in := x.try(v, w, &f)
		out.Tried = append(out.Tried, result.FinerTry{Grains: f.Grains, Verdict: f.Verdict, Step: f.Step, States: f.States, Reason: f.Reason})
		if f.Verdict == result.Spurious && forbids == nil {
			forbids = &f
		}
		if f.Verdict != result.Confirmed || f.Baseline {
			continue
		}
		g := *out
		if x.climb(v, own, in, &g); g.Verdict == result.Confirmed {
			return &g
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

// try follows a counterexample in one fine composition. If a channel that coarse grains do not
// use is full there, it is followed once more with more room. It returns the behaviour that
// confirms it, and the comparison that has the behaviour.
func (x *examiner) try(v *wire.Violation, w session.Within, out *result.FinerAnswer) (own *wire.Trace, in *compose.Comparison) {
	for _, w.Room = range []int{1, roomier} {
		out.Baseline, out.Grains = false, nil
		var diags hcl.Diagnostics
		if in, diags = x.CompareHere(w); in == nil || diags.HasErrors() {
			out.Reason = "the compositions cannot be compared"
			return nil, nil
		}
		own = x.follow(v, v.Trace, in, out)
		if out.Verdict != result.Unfollowed || !strings.Contains(out.Reason, "is full: it holds") {
			break
		}
	}
	return own, in
}

// climb follows a behaviour of a fine composition that violates the property of v in the finest
// one.
func (x *examiner) climb(v *wire.Violation, own *wire.Trace, in *compose.Comparison, out *result.FinerAnswer) {
	next, diags := in.Further()
	if next == nil || diags.HasErrors() {
		return
	}
	if x.follow(v, own, next, out) != nil {
		out.Reason = strings.Replace(out.Reason, theCounterexample, "this behaviour of "+strings.Join(x.replaced(in), ", "), 1)
	}
}

// theCounterexample is how an answer names the behaviour that is followed.
const theCounterexample = "the counterexample"

// follow follows a behaviour that violates the property of v in a fine composition. It returns a
// behaviour of this composition that violates it, too.
func (x *examiner) follow(v *wire.Violation, t *wire.Trace, in *compose.Comparison, out *result.FinerAnswer) *wire.Trace {
	out.Grains, out.Baseline = x.replaced(in), len(Coarse(in.Fine)) == 0
	f, err := x.Pursue(in, out.Property, t, x.how)
	if err != nil {
		out.Reason = err.Error()
		return nil
	}
	out.States = f.States
	out.Behaviour = narrate.BehaviourOf(f.Trace, narrate.KnownOf(x.Composition.Catalog), false)
	names := strings.Join(out.Grains, ", ")
	switch {
	case f.Violated:
		out.Verdict, out.Reason = result.Confirmed, fmt.Sprintf("%s of %s have the observations of %s, and one violates it after %s",
			words.Plural(f.States, "state"), names, theCounterexample, words.Plural(int64(len(f.Trace.Steps)), "step"))
		own := *v
		own.Trace = f.Trace
		out.Trace = x.KeepFine(in, &own, x.traces)
		return f.Trace
	case f.Step == 0:
		out.Verdict = result.Spurious
		out.Reason = fmt.Sprintf("%s has all its observations and does not violate the property in any of %s", names, words.Plural(f.States, "state"))
	default:
		out.Verdict, out.Step = result.Spurious, f.Step
		x.forbids(t, f, out)
	}
	return nil
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

// replaced returns the grains of a fine composition that stand for those of the composition.
func (x *examiner) replaced(in *compose.Comparison) (out []string) {
	for _, g := range in.Fine.Choice.Grains {
		if !slices.Contains(x.Composition.Choice.Grains, g) {
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
