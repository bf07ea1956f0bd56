package preserve

import (
	"math/bits"

	"github.com/multigrain/multigrain/checker"
)

// What it computes. Whether the fine composition violates a property after a behaviour that the
// coarse one misses.
//
// Why it is right. States with the observations of the missed behaviour are computed, as in Pursue.
// From there all steps are taken, breadth first. A state that breaks a property has a behaviour of
// the fine composition, so the violation needs no coarse step. Without a behaviour the search
// begins in the initial states.
//
// What it costs. The fine states after the gap. They stay in memory.
//
// Example. The fine composition gives a term up, and the coarse one does not: Work(2) is missed.
//
//	fine      Begin Begin Work(2) | Work(1) ...    what comes after the bar is searched

// Beyond is the answer of Search.
type Beyond[T any] struct {
	// Complete says that all states after the behaviour were examined, or that a property is
	// violated.
	Complete bool
	States   int64 // examined
	// Violated is the property that is violated; nil for none. Trace leads there.
	Violated *checker.Property
	Trace    checker.Trace[T]
}

// Search looks for violations of the fine composition after one of its behaviours. T is nil for a
// search from the initial states. The error says that the specification fails.
func Search[T any](c *Comparison[T], t *checker.Trace[T], opt Options) (out *Beyond[T], err error) {
	x := newPursuit(c, Fine, opt)
	x.bits = ^uint64(0)
	out = &Beyond[T]{}
	defer func() {
		if err = x.failure(recover(), out.Violated != nil); err != nil {
			out = nil
		}
	}()
	if t == nil {
		t = &checker.Trace[T]{}
	}
	x.free = true
	x.along(Fine, t)
	out.Complete = x.search()
	p := &Pursued[T]{}
	x.end(p)
	out.States, out.Trace = p.States, p.Trace
	if p.Violated {
		out.Complete = true
		out.Violated = &c.Sides[Fine].Spec.Invariants[bits.TrailingZeros64(x.broken)]
	}
	return out, nil
}
