package conform

import (
	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/walks"
)

// shrinkSteps bounds the steps done to make one trace shorter.
const shrinkSteps = 1 << 20

// shrinker makes a walk that ends in a deviation shorter by delta debugging (Zeller and
// Hildebrandt, TSE 2002): it leaves out steps and does the rest again on both sides. Steps that are
// not possible any more are left out with them.
type shrinker[S any, U checker.Counters] struct {
	t      *tester[S, U]
	init   checker.Node[S, U]
	name   string // of the deviation that must remain
	best   []checker.Step[checker.Node[S, U]]
	last   *deviation
	spare  []checker.Step[checker.Node[S, U]]
	left   int
	halted func() bool
}

// shrink returns the shortest behaviour that it found, its deviation, and whether no single step
// can be left out of it.
func (t *tester[S, U]) shrink(init *checker.Node[S, U], steps []int32, halted func() bool) (best []checker.Step[checker.Node[S, U]], d *deviation, minimal bool) {
	x := &shrinker[S, U]{t: t, init: *init, left: shrinkSteps, halted: halted}
	if d = t.replay(init, steps, &x.best); d == nil || d.kind == undriven {
		return nil, nil, false // see run.found
	}
	x.last, x.name = d, d.name()
	walks.Shorten(func() int { return len(x.best) }, x.without, func() bool { return x.left > 0 }, nil)
	return x.best, x.last, x.left > 0
}

// without tries to leave out the steps from one number to before another.
func (x *shrinker[S, U]) without(from, to int) bool {
	if x.halted() {
		x.left = 0
		return false
	}
	var steps []int32
	for k := range x.best {
		if k < from || k >= to {
			steps = append(steps, int32(x.best[k].Instance))
		}
	}
	d := x.t.attempt(&x.init, steps, &x.spare)
	x.left -= len(x.spare) + 1
	if d == nil || d.name() != x.name {
		return false
	}
	x.best, x.spare, x.last = x.spare, x.best, d
	return true
}

// attempt is replay, and nil where the specification itself fails in a state to which no walk came.
func (t *tester[S, U]) attempt(init *checker.Node[S, U], steps []int32, done *[]checker.Step[checker.Node[S, U]]) (d *deviation) {
	defer func() {
		if recover() != nil {
			d = nil
		}
	}()
	return t.replay(init, steps, done)
}
