package explore

import (
	"fmt"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// same keeps the slot of the next successor equal to the node that is expanded, where nodes are
// large. For each successor the lines that differ are found, among those that its instance may
// write. They are hashed and put back. Sets of lines have a bit for each.
type same[T any] struct {
	s, n      *T
	every     []uint64 // all lines
	within    []uint64 // where n may differ from s
	diff      []uint64 // where n differs from s, while a successor is judged; else none
	moved     []uint64 // where a new s differs from the one before
	sum       uint64   // of s
	valid     bool     // n is equal to an s with that sum
	comparing bool     // the declared writes of steps are tested in s
}

func newSame[T any](s, n *T) same[T] {
	x := same[T]{s: s, n: n}
	if fingerprint.IsLarge[T]() {
		lines := fingerprint.Lines[T]()
		x.every = make([]uint64, (lines+63)/64)
		for k := range lines {
			x.every[k/64] |= 1 << (k % 64)
		}
		x.within, x.diff, x.moved = make([]uint64, len(x.every)), make([]uint64, len(x.every)), make([]uint64, len(x.every))
	}
	return x
}

// start makes the slot equal to s, a node that was not there before. Where the one before is known,
// moved has all lines in which they may differ.
func (x *same[T]) start() {
	if !x.valid {
		*x.n = *x.s
		x.sum = fingerprint.LineSum(x.s)
		copy(x.moved, x.every)
		x.valid = true
		return
	}
	store.Differing(x.n, x.s, x.moved, x.moved)
	x.sum += fingerprint.LineChange(x.n, x.s, x.moved)
	store.CopyLines(x.n, x.s, x.moved)
}

// look finds where the successor differs, within some lines.
func (x *same[T]) look(within []uint64) { store.Differing(x.s, x.n, within, x.diff) }

// hash returns the successor's.
func (x *same[T]) hash() uint64 {
	return fingerprint.OfSum[T](x.sum + fingerprint.LineChange(x.s, x.n, x.diff))
}

// back makes the slot equal to s again.
func (x *same[T]) back() {
	store.CopyLines(x.n, x.s, x.diff)
	clear(x.diff)
}

// equal reports whether the slot is equal to s.
func (x *same[T]) equal() bool {
	store.Differing(x.s, x.n, x.every, x.diff)
	some := uint64(0)
	for _, d := range x.diff {
		some |= d
	}
	return some == 0
}

// right reports whether the slot is equal to s and their sum is the sum of all lines.
func (x *same[T]) right() bool {
	ok := x.equal() && fingerprint.LineSum(x.s) == x.sum
	clear(x.diff)
	return ok
}

// nextLarge reads the k-th node of a chunk, which is expanded from now on, and makes the slot equal
// to it.
func (w *worker[T]) nextLarge(k int) {
	w.read.NextLarge(w.same.moved)
	if k == 0 {
		copy(w.same.moved, w.same.every)
	}
	w.same.start()
	w.write.Moved(w.same.moved)
	w.same.comparing = k%compareEvery == compareEvery-1 || w.run.comparing
	if w.same.comparing && !w.same.right() {
		w.run.refute(&FootprintError{"the state that is expanded, or what is equal to it, was written by a step"})
	}
	w.out.Same = true
}

// lineUp finds where the current successor differs from its parent.
func (w *worker[T]) lineUp() {
	x, instance := &w.same, int(w.out.Instance[0])
	w.write.Differs(x.diff)
	if !w.spec.Pruning.HasLines() {
		x.look(x.every)
		return
	}
	w.spec.Pruning.Lines(x.s, x.n, instance, x.within)
	if !x.comparing {
		x.look(x.within)
		return
	}
	x.look(x.every)
	if beyond(x.diff, x.within) {
		w.refuteWrites(instance)
	}
}

// putBack makes the slot equal to its parent again, after a successor.
func (w *worker[T]) putBack() {
	w.same.back()
	w.write.Differs(nil)
	w.out.Same = true
}

// leave ends the expansion of a node. What is not equal then was written by some step that must
// not.
func (w *worker[T]) leave() {
	if !w.out.Same { // a step was begun and is no successor
		w.same.valid = false
		return
	}
	x := &w.same
	if !w.spec.Pruning.HasLines() || x.comparing || x.equal() {
		return
	}
	s, n := x.s, &w.checks.node
	for k := range w.spec.Instances {
		if !w.spec.Enabled(s, k) {
			continue
		}
		*n = *s
		w.spec.Apply(s, n, k)
		store.Differing(s, n, x.every, x.diff)
		if w.spec.Pruning.Lines(s, n, k, x.within); beyond(x.diff, x.within) {
			w.refuteWrites(k)
			return
		}
	}
	w.run.refute(&FootprintError{"a step writes what its footprint says that it does not write"})
}

func (w *worker[T]) refuteWrites(instance int) {
	w.run.refute(&FootprintError{fmt.Sprintf("%s writes what its footprint says that it does not write", checker.InstanceName(w.spec, instance))})
}

// beyond reports whether a set has more than another.
func beyond(set, of []uint64) bool {
	more := uint64(0)
	for k := range set {
		more |= set[k] &^ of[k]
	}
	return more != 0
}
