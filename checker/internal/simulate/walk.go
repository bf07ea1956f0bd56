package simulate

import (
	"errors"
	"math/rand/v2"

	"github.com/multigrain/multigrain/checker"
)

// Walker takes random walks for their traces, as Run does, but without judging properties: a walk
// continues after a broken one. It may not be used by several goroutines at once.
type Walker[T any] struct {
	w      *walker[T]
	starts []T
}

// errNoStart: all initial nodes are outside the constraints, raise assertions or break invariants.
var errNoStart = errors.New("there is no initial state to start a walk from")

// NewWalker makes a walker with Options.Weights. It fails if they are wrong or there is no initial
// node to start from, and with an *checker.SpecError[T] if the specification panics.
func NewWalker[T any](spec *checker.Spec[T], weights map[string]float64) (*Walker[T], error) {
	w, err := newWalker(spec, weights)
	if err != nil {
		return nil, err
	}
	x := &Walker[T]{w: w}
	if f := w.try(func() { x.starts, _ = w.initials(nil, nil) }); f != nil {
		return nil, w.initialFault(f)
	}
	if len(x.starts) == 0 {
		return nil, errNoStart
	}
	return x, nil
}

// Walk takes a walk of at most depth transitions. With Source(seed, n) it is walk n of a Run with
// this seed and these weights, as far as that one goes. Steps that raise an assertion are never
// taken, masked or not. The error is an *checker.SpecError[T].
func (x *Walker[T]) Walk(rng *rand.Rand, depth int) (t checker.Trace[T], err error) {
	w := x.w
	t.Init = x.starts[rng.IntN(len(x.starts))]
	w.stand(&t.Init)
	if f := w.try(func() {
		for len(t.Steps) < depth {
			w.look()
			k := w.next(rng)
			if k < 0 {
				return
			}
			w.move()
			t.Steps = append(t.Steps, checker.Step[T]{Instance: k, Node: *w.s})
		}
	}); f != nil {
		return t, w.specError(f, t)
	}
	return t, nil
}

// next draws a step and makes n its successor; -1 if there is none or it leads out of the
// constraints.
func (w *walker[T]) next(rng *rand.Rand) int {
	for {
		k := w.draw(rng)
		if k < 0 {
			return -1
		}
		switch o, _ := w.apply(k); o {
		case inside:
			return k
		case outside:
			return -1
		}
		w.discard()
	}
}

// Walk takes one walk of at most depth steps with a new Walker. It fails where NewWalker or
// Walker.Walk does.
func Walk[T any](spec *checker.Spec[T], rng *rand.Rand, depth int, weights map[string]float64) (checker.Trace[T], error) {
	w, err := NewWalker(spec, weights)
	if err != nil {
		return checker.Trace[T]{}, err
	}
	return w.Walk(rng, depth)
}
