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

// one follows the k-th counterexample: at finer grains of one module after the other, see climb. If
// that does not reach the finest grains, the counterexample itself is followed with all of them,
// which decides. If that is not known, another composition that forbids the counterexample does.
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
	c := &climber{examiner: x, v: v, out: out}
	at := c.climb()
	if c.last != nil && c.last.Baseline {
		c.last.Tried = out.Tried[:len(out.Tried)-1]
		return c.last
	}
	x.try(v, session.Within{}, out)
	if out.Verdict == result.Unfollowed && c.forbids != nil {
		c.forbids.Tried = out.Tried
		return c.forbids
	}
	if out.Verdict == result.Unfollowed {
		out.Reason += c.reached(at)
	}
	return out
}

// roomier is how much room channels get that are full in the fine composition only.
const roomier = 4

// try follows the counterexample in one fine composition. It returns the behaviour that confirms
// it, and the comparison that has the behaviour.
func (x *examiner) try(v *wire.Violation, w session.Within, out *result.FinerAnswer) (own *wire.Trace, in *compose.Comparison) {
	return x.withRoom(v, v.Trace, out, func(room int) (*compose.Comparison, hcl.Diagnostics) {
		w.Room = room
		return x.CompareHere(w)
	})
}

// withRoom follows a behaviour. If a channel that coarse grains do not use is full in the fine
// composition, it is followed once more with more room.
func (x *examiner) withRoom(v *wire.Violation, t *wire.Trace, out *result.FinerAnswer, compare func(room int) (*compose.Comparison, hcl.Diagnostics)) (own *wire.Trace, in *compose.Comparison) {
	for _, room := range []int{1, roomier} {
		before := in
		var diags hcl.Diagnostics
		if in, diags = compare(room); in == nil || diags.HasErrors() {
			out.Baseline, out.Grains, out.Reason = false, nil, "the compositions cannot be compared"
			return nil, nil
		}
		larger := ""
		if before != nil {
			if larger = enlarged(before.Fine, in.Fine); larger == "" {
				return own, in // none of the channels has more room
			}
		}
		own = x.follow(v, t, in, out)
		if larger != "" {
			out.Reason += ", with " + larger
		}
		if out.Verdict != result.Unfollowed || !strings.Contains(out.Reason, "is full: it holds") {
			break
		}
	}
	return own, in
}

// enlarged says which bounds differ, as of a composition with more room.
func enlarged(a, b *compose.Composition) string {
	var out []string
	for _, bound := range b.Catalog.Bounds {
		if n := b.Choice.Budgets[bound.Name]; n != a.Choice.Budgets[bound.Name] {
			out = append(out, fmt.Sprintf("%s = %d", bound.Name, n))
		}
	}
	return strings.Join(out, ", ")
}

// theCounterexample is how an answer names the behaviour that is followed.
const theCounterexample = "the counterexample"

// follow follows a behaviour that violates the property of v in a fine composition. It returns a
// behaviour of this composition that violates it, too. Constraints that only replaced grains offer
// hold in it. Without them there are more behaviours, so those decide whether none has the
// observations.
func (x *examiner) follow(v *wire.Violation, t *wire.Trace, in *compose.Comparison, out *result.FinerAnswer) *wire.Trace {
	f := x.followed(t, in, out)
	out.Constraints = in.Borrowed()
	if out.Verdict == result.Spurious && out.Constraints != nil {
		within := out.Reason
		g := *out
		g.Verdict, g.Step, g.Action, g.Because, g.Cause, g.CauseStep = result.Unfollowed, 0, "", "", "", 0
		x.followed(t, in.Unborrowed(), &g)
		switch names := words.ListOr(out.Constraints, ""); g.Verdict {
		case result.Spurious:
			g.Constraints = nil
		case result.Confirmed:
			g.Verdict = result.Unfollowed
			g.Reason = fmt.Sprintf("%s violates it only after a state that a constraint leaves out: %s", strings.Join(out.Grains, ", "), names)
		default:
			g.Reason = fmt.Sprintf("%s, within the constraint %s; without it, %s", within, names, g.Reason)
		}
		*out = g
		return nil
	}
	if f == nil || !f.Violated {
		return nil
	}
	if out.Constraints != nil {
		out.Reason += ", within the constraint " + words.ListOr(out.Constraints, "")
	}
	own := *v
	own.Trace = f.Trace
	out.Trace = x.KeepFine(in, &own, x.traces)
	return f.Trace
}

// followed fills in the answer of one fine composition. It returns nil if that is not known.
func (x *examiner) followed(t *wire.Trace, in *compose.Comparison, out *result.FinerAnswer) *wire.PreserveFollowed {
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
	case f.Step == 0:
		out.Verdict = result.Spurious
		out.Reason = fmt.Sprintf("%s has all its observations and does not violate the property in any of %s", names, words.Plural(f.States, "state"))
	default:
		out.Verdict, out.Step = result.Spurious, f.Step
		x.forbids(t, f, out)
	}
	return f
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
