package finer

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// What it computes. A behaviour of the composition without coarse grains that violates the property
// of a counterexample: step by step, at finer grains of one module after the other.
//
// Why it is right. Each step follows a behaviour that violates the property in a composition with
// finer grains of one module. If that composition violates the property, too, its own behaviour is
// followed next. The last one has no coarse grain, so its behaviour is one of the protocol.
//
// What it costs. A program and a search for each step. A step searches only for steps of the module
// that became finer: all others have to observe the same.
//
// Example. Both modules are coarse, and election has a grain between:
//
//	election/coarse    broadcast/coarse      the counterexample
//	election/between   broadcast/coarse      confirmed
//	election/baseline  broadcast/coarse      confirmed
//	election/baseline  broadcast/baseline    confirmed at the baseline

// place is a composition with a behaviour that violates the property.
type place struct {
	trace *wire.Trace
	in    *compose.Comparison // whose fine side has the behaviour; nil: it is the counterexample
}

// climber follows one counterexample.
type climber struct {
	*examiner
	v       *wire.Violation
	out     *result.FinerAnswer
	forbids *result.FinerAnswer // the first answer that the counterexample is spurious
	last    *result.FinerAnswer // the one of the place that was reached
}

// composition is the one that has the behaviour of a place.
func (c *climber) composition(at place) *compose.Composition {
	if at.in == nil {
		return c.Composition
	}
	return at.in.Fine
}

// climb takes the coarse grains that take a step of the counterexample first, one after the other,
// and then the others. A counterexample without a coarse step is followed as a whole. It returns
// the place that was reached.
func (c *climber) climb() (at place) {
	at.trace = c.v.Trace
	failed := false
	for _, stepped := range []bool{true, false} {
		for _, g := range coarseGrains(c.Composition) {
			if steps(g, c.v.Trace) != stepped || !stepped && (failed || at.in == nil) {
				continue
			}
			to, ok := c.module(at, g)
			if !ok && at.in != nil && to.in == at.in && stepped {
				// Does this module forbid the counterexample itself?
				c.module(place{trace: c.v.Trace}, g)
			}
			at, failed = to, failed || !ok
		}
	}
	if left := coarseGrains(c.composition(at)); failed && at.in != nil && len(left) > 1 {
		if to, ok := c.step(at, session.Within{}); ok {
			return to
		}
	}
	return at
}

// steps reports whether a grain takes a step of a behaviour.
func steps(g *grains.GrainDecl, t *wire.Trace) bool {
	return slices.ContainsFunc(t.Steps, func(s wire.Step) bool { return slices.Contains(g.Actions, s.Action) })
}

// module makes the modules of a coarse grain finer until none of them has a coarse grain. It
// reports whether that was confirmed to the end.
func (c *climber) module(at place, g *grains.GrainDecl) (place, bool) {
	var left []grains.Ref // that were replaced, and do not come back
	for {
		of := c.composition(at)
		all := coarseGrains(of)
		k := slices.IndexFunc(all, func(x *grains.GrainDecl) bool {
			return slices.ContainsFunc(x.Covers, func(m string) bool { return slices.Contains(g.Covers, m) })
		})
		if k < 0 {
			return at, true
		}
		moved := false
		left = append(left, grains.Ref{Module: all[k].Covers[0], Grain: all[k].Name})
		for _, w := range rungs(of, all, all[k], at.in == nil) {
			if slices.ContainsFunc(w.Against, func(r grains.Ref) bool { return slices.Contains(left, r) }) {
				continue
			}
			to, ok := c.step(at, w)
			if ok {
				at, moved = to, true
				break
			}
		}
		if !moved {
			return at, false
		}
	}
}

// rungs returns the fine compositions in which one coarse grain is replaced alone: by grains
// between it and the finest ones, and by the finest ones. The counterexample itself is followed
// with the finest grains elsewhere, so without another coarse grain that is left out.
func rungs(c *compose.Composition, all []*grains.GrainDecl, g *grains.GrainDecl, counterexample bool) (out []session.Within) {
	var w session.Within
	for _, other := range all {
		if other != g {
			w.Unchanged = append(w.Unchanged, other.Covers[0])
		}
	}
	if between := c.Between(g); between != nil {
		w.Against = between
		out = append(out, w)
		w.Against = nil
	}
	if len(all) > 1 || !counterexample {
		out = append(out, w)
	}
	return out
}

// step follows the behaviour of a place in a finer composition, and notes the answer. It returns
// the place in that composition, and reports whether it confirms the violation.
func (c *climber) step(at place, w session.Within) (place, bool) {
	f := *c.out
	f.Tried = nil
	var own *wire.Trace
	var in *compose.Comparison
	var of []string
	if at.in == nil {
		own, in = c.try(c.v, w, &f)
	} else {
		own, in = c.further(at, w, &f)
		of = c.replaced(at.in)
	}
	c.out.Tried = append(c.out.Tried, result.FinerTry{Of: of, Grains: f.Grains, Verdict: f.Verdict, Step: f.Step, States: f.States, Reason: f.Reason})
	if f.Verdict == result.Spurious && at.in == nil && c.forbids == nil {
		c.forbids = &f
	}
	if f.Verdict != result.Confirmed {
		return at, false
	}
	c.last = &f
	return place{own, in}, true
}

// further follows the behaviour of a fine composition in a finer one.
func (c *climber) further(at place, w session.Within, out *result.FinerAnswer) (own *wire.Trace, in *compose.Comparison) {
	own, in = c.withRoom(c.v, at.trace, out, func(room int) (*compose.Comparison, hcl.Diagnostics) {
		return at.in.Further(w.Unchanged, w.Against, room)
	})
	out.Reason = strings.Replace(out.Reason, theCounterexample, behaviourOf(c.replaced(at.in)), 1)
	return own, in
}

func behaviourOf(grains []string) string {
	return "this behaviour of " + strings.Join(grains, ", ")
}

// reached says up to which grains a counterexample was confirmed that is not known with the finest
// ones; "" if it is the counterexample itself.
func (c *climber) reached(at place) string {
	if at.in == nil {
		return ""
	}
	return "; it is confirmed up to " + strings.Join(c.replaced(at.in), ", ")
}
