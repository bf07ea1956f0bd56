// Package finer does counterexamples of a mixed composition once more in its fine composition: the
// flag -finer of check.
package finer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// What it computes. Whether the violation that a composition with coarse grains has is one of the
// composition with the grains that they coarsen, too.
//
// Why it is right. The fine composition follows the counterexample by what the modules under test
// observe, within the same bounds: see preserve.Pursue. If it violates the property, its own
// behaviour is a counterexample without any coarse step. If it cannot have some observation, this
// counterexample is none of the protocol. Another one may be, so the search is done again without
// its end at the first violation, and each further counterexample is followed.
//
// What it costs. A program of both compositions, and an exploration of the fine states that have
// the counterexample's observations.

// Coarse returns the coarse grains of a composition, as module/grain.
func Coarse(c *compose.Composition) (out []string) {
	for _, g := range c.Chosen() {
		if g.Coarsens {
			out = append(out, g.Covers[0]+"/"+g.Name)
		}
	}
	return out
}

// Examine follows the counterexamples of a run. Again explores once more and does not end at the
// first violation. It leaves the verdict violated if one of them is confirmed. If not, the verdict
// is undecided.
func Examine(r *session.Run, how session.Comparing, again func()) {
	if r.Report == nil || r.Report.Verdict != string(verdicts.Violated) || len(Coarse(r.Composition)) == 0 {
		return
	}
	x, diags := r.CompareHere()
	if r.Add(diags...); x == nil || diags.HasErrors() {
		return
	}
	f := follow(r, x, how)
	if f.Verdict == result.Spurious && r.Report.Verdict == string(verdicts.Violated) {
		first := f
		again()
		if r.Report == nil || r.Env.Soft.Err() != nil {
			return
		}
		if f = follow(r, x, how); f == nil {
			f = first
		}
		f.Spurious = max(f.Spurious, first.Spurious)
	}
	r.Finer = f
	if f.Verdict == result.Confirmed {
		return
	}
	r.Report.Verdict, r.Report.Violations = string(verdicts.Undecided), nil
	r.Report.Reason = fmt.Sprintf("the counterexample of %s is spurious: %s", f.Property, f.Reason)
	if f.Verdict == result.Unfollowed {
		r.Report.Reason = fmt.Sprintf("whether the violation of %s is one of the fine composition, too, is not known: %s", f.Property, f.Reason)
	}
}

// follow follows the counterexamples of a run until one is confirmed. It returns the answer for
// that one, or else for the first that is not known, or else for the first. Nil: there is none.
func follow(r *session.Run, x *compose.Comparison, how session.Comparing) (out *result.FinerAnswer) {
	spurious := 0
	for k := range r.Report.Violations {
		f := one(r, x, k, how)
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

// one follows the k-th counterexample of a run.
func one(r *session.Run, x *compose.Comparison, k int, how session.Comparing) *result.FinerAnswer {
	v := &r.Report.Violations[k]
	out := &result.FinerAnswer{Verdict: result.Unfollowed, Property: session.PropertyName(v), Grains: finer(x), Counterexample: r.TracePath(k)}
	switch {
	case v.Trace == nil:
		out.Reason = "there is no counterexample"
		return out
	case v.Kind == verdicts.Deadlock || v.Kind == verdicts.Liveness:
		out.Reason = "deadlocks and liveness are not followed; level L2 compares them"
		return out
	}
	f, err := r.Pursue(x, out.Property, v.Trace, how)
	if err != nil {
		out.Reason = err.Error()
		return out
	}
	out.States = f.States
	known := narrate.KnownOf(r.Composition.Catalog)
	out.Behaviour = narrate.BehaviourOf(f.Trace, known, false)
	if f.Violated {
		out.Verdict, out.Reason = result.Confirmed, fmt.Sprintf("%s of %s have the observations of the counterexample, and one violates it after %s",
			words.Plural(f.States, "state"), strings.Join(out.Grains, ", "), words.Plural(int64(len(f.Trace.Steps)), "step"))
		return out
	}
	out.Verdict = result.Spurious
	if f.Step == 0 {
		out.Reason = fmt.Sprintf("%s has all its observations and does not violate the property in any of %s", strings.Join(out.Grains, ", "), words.Plural(f.States, "state"))
		return out
	}
	step := &v.Trace.Steps[f.Step-1]
	out.Step, out.Action = f.Step, step.Action+conform.ParamsText(step.Params)
	out.Reason = fmt.Sprintf("%s forbids step %d, %s: none of %s with the observations before it has that step", strings.Join(out.Grains, ", "), f.Step, out.Action,
		words.Plural(f.States, "state"))
	for n := f.Step - 1; n > 0; n-- {
		if own := v.Trace.Steps[n-1]; coarseStep(r.Composition, own.Action) {
			out.Cause, out.CauseStep = own.Action+conform.ParamsText(own.Params), n
			out.Reason += fmt.Sprintf("; the last coarse step before is %s, step %d", out.Cause, n)
			break
		}
	}
	return out
}

// finer returns the grains that stand for the coarse ones in the fine composition.
func finer(x *compose.Comparison) (out []string) {
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
