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

// one follows the k-th counterexample: with each coarse grain that takes a step of it replaced
// alone, and with all of them. The latter decides. If it is not known, a grain that forbids the
// counterexample alone does.
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
	var alone *result.FinerAnswer
	for _, f := range x.alone(v, out) {
		out.Tried = append(out.Tried, result.FinerTry{Grains: f.Grains, Verdict: f.Verdict, Step: f.Step, States: f.States, Reason: f.Reason})
		if f.Verdict == result.Spurious && alone == nil {
			alone = f
		}
	}
	x.follow(v, x.whole, out)
	if out.Verdict == result.Unfollowed && alone != nil {
		alone.Tried = out.Tried
		return alone
	}
	return out
}

// alone follows a counterexample with one coarse grain replaced at a time, if there are several.
func (x *examiner) alone(v *wire.Violation, like *result.FinerAnswer) (out []*result.FinerAnswer) {
	all := coarseGrains(x.Composition)
	if len(all) < 2 {
		return nil
	}
	for _, g := range all {
		if !slices.ContainsFunc(v.Trace.Steps, func(s wire.Step) bool { return slices.Contains(g.Actions, s.Action) }) {
			continue
		}
		var others []string
		for _, other := range all {
			if other != g {
				others = append(others, other.Covers[0])
			}
		}
		f := *like
		f.Baseline, f.Grains = false, nil
		in, diags := x.CompareHere(others)
		if in == nil || diags.HasErrors() {
			f.Reason = "the compositions cannot be compared"
		} else {
			f.Grains = replacing(in)
			x.follow(v, in, &f)
		}
		out = append(out, &f)
	}
	return out
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
