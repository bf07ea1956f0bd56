package simulate

import (
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/walks"
)

// What it computes. A short counterexample from a long walk: a subsequence of its steps that still
// breaks the invariant.
//
// Why it is right. Every attempt is executed on the specification, so what remains is a behaviour.
// An attempt counts only if it breaks the same invariant. The result is minimal in one sense: no
// single step can be left out. It need not be a shortest counterexample.
//
// What it costs. Delta debugging tries ever smaller parts: about n log n attempts of up to n steps
// if most parts can go, at most shrinkSteps steps in all.
//
// Example. Steps 1 to 8, where 3 and 7 matter:
//
//	1 2 3 4 5 6 7 8
//	    3 4 5 6 7 8      without 1 2
//	    3       7        without 4 5 6, then 8

// shrinkSteps bounds the steps tried to make one trace shorter.
const shrinkSteps = 1 << 23

// shrinker makes a counterexample shorter by delta debugging (Zeller and Hildebrandt, TSE 2002): it
// leaves out steps and does the rest again. What remains is always a behaviour of the specification
// that breaks nothing before its end.
type shrinker[T any] struct {
	w         *walker[T]
	invariant int // -1: a deadlock
	t         *checker.Trace[T]
	from      []int             // by step of t: its place in the walk
	tail      []checker.Step[T] // of the last attempt
	tailFrom  []int
	left      int // steps that may still be tried
	halted    func() bool
}

// shrink makes a counterexample to an invariant shorter. It returns the places of the steps in the
// walk, and whether no single step can be left out any more. It gives up after shrinkSteps steps,
// and on an interrupt.
func (r *run[T]) shrink(t *checker.Trace[T], invariant int) (from []int, minimal bool) {
	x := &shrinker[T]{w: r.aside, invariant: invariant, t: t, left: shrinkSteps, halted: func() bool { return r.opt.Context.Err() != nil }}
	for k := range t.Steps {
		x.from = append(x.from, k)
	}
	x.unloop()
	walks.Shorten(func() int { return len(x.t.Steps) }, x.without, func() bool { return x.left > 0 }, x.unloop)
	return x.from, x.left > 0
}

// without tries to leave out the steps from one number to before another. Of the steps after them
// it leaves out those that are not possible any more, too.
func (x *shrinker[T]) without(from, to int) (ok bool) {
	if x.halted() {
		x.left = 0
		return false
	}
	if from == 0 {
		x.w.stand(&x.t.Init)
	} else {
		x.w.stand(&x.t.Steps[from-1].Node)
	}
	x.tail, x.tailFrom = x.tail[:0], x.tailFrom[:0]
	// A specification may fail in a node to which no walk came: such an attempt has failed.
	if f := x.w.try(func() { ok = x.redo(to) }); f != nil || !ok {
		return false
	}
	x.t.Steps = append(x.t.Steps[:from], x.tail...)
	x.from = append(x.from[:from], x.tailFrom...)
	return true
}

// redo does the steps of the trace from a number on, from where the walker stands, as far as they
// are possible. It reports whether one of them breaks the invariant.
func (x *shrinker[T]) redo(to int) bool {
	w, steps := x.w, x.t.Steps
	for k := to; k < len(steps); k++ {
		if x.left--; x.left < 0 {
			return false
		}
		instance := steps[k].Instance
		if !w.spec.Enabled(w.s, instance) {
			continue
		}
		o, broken := w.apply(instance)
		if x.invariant >= 0 && broken>>x.invariant&1 != 0 {
			x.tail = append(x.tail, checker.Step[T]{Instance: instance, Node: *w.n})
			x.tailFrom = append(x.tailFrom, x.from[k])
			return true
		}
		if o != inside || broken != 0 {
			continue
		}
		w.move()
		x.tail = append(x.tail, checker.Step[T]{Instance: instance, Node: *w.s})
		x.tailFrom = append(x.tailFrom, x.from[k])
	}
	if x.invariant >= 0 {
		return false
	}
	w.look()
	return len(w.enabled) == 0
}

// unloop leaves out what leads from a node back to it, and reports whether there was anything. The
// last step stays: its node may be one that is none, after a raised assertion or out of the
// constraints.
func (x *shrinker[T]) unloop() (shorter bool) {
	t := x.t
	if len(t.Steps) == 0 {
		return false
	}
	last := len(t.Steps) - 1
	kept, from := t.Steps[:0], x.from[:0]
	at := map[uint64]int{fingerprint.Of(&t.Init): 0} // how many steps lead to a node
	for k, s := range t.Steps[:last] {
		h := fingerprint.Of(&s.Node)
		n, seen := at[h]
		if !seen {
			kept, from = append(kept, s), append(from, x.from[k])
			at[h] = len(kept)
			continue
		}
		for _, cut := range kept[n:] {
			delete(at, fingerprint.Of(&cut.Node))
		}
		kept, from, shorter = kept[:n], from[:n], true
	}
	t.Steps = slices.Clip(append(kept, t.Steps[last]))
	x.from = append(from, x.from[last])
	return shorter
}
