package simulate

import (
	"math/rand/v2"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// ending is how a walk ended.
type ending int

const (
	skipped    ending = iota // it was not taken: the run ends before it
	cut                      // the run was halted while it was taken
	atDepth                  // it is as long as asked for
	deadlocked               // no instance is enabled
	finished                 // the strategy ended it
	blocked                  // all enabled instances have weight 0 or raise a masked assertion
	left                     // the drawn step leads out of the constraints
	violated                 // it broke a property
	failed                   // the specification panicked
)

// visit is a node that was not in the set of distinct nodes when the round began.
type visit struct {
	hash   uint64
	action int32 // by which it was reached, -1 for an initial node
}

// record is the outcome of a walk.
type record struct {
	end   ending
	start int // number of its initial node
	// instances, in order; in the end the one that led out of the constraints or broke a property
	steps   []int32
	length  int     // steps that lead to a node
	masked  []int32 // instances that were drawn and raised masked assertions
	enabled []int64 // by action: enabled instances, over all nodes
	fresh   []visit
	goals   uint64
	broken  uint64 // the invariants, if it ended in a violation; none where that is a deadlock
	err     error
	elapsed time.Duration // since the start of the run, when it ended
	unseen  []uint64      // abstractions that were not in the set when the round began
	nodes   []uint64      // abstractions of all nodes, for learning
	met     []options     // what can be done at those that the learner does not know
	lesson  any           // for the strategy, where it learns
	notes   any           // of the strategy, where the walk ended in a violation
}

func (r *record) clear(actions int) {
	if r.enabled == nil {
		r.enabled = make([]int64, actions)
	}
	clear(r.enabled)
	*r = record{
		steps: r.steps[:0], masked: r.masked[:0], enabled: r.enabled, fresh: r.fresh[:0], unseen: r.unseen[:0], nodes: r.nodes[:0],
		met: r.met[:0],
	}
}

// worker takes the walks of a run.
type worker[T any] struct {
	*walker[T]
	run *run[T]
	pcg rand.PCG
	rng *rand.Rand
	rec *record
	// drawer draws the steps; nil: weights do.
	drawer Drawer[T]
	// after is called at each node of a walk, with the number of steps; nil: nothing is.
	after func(step int)
}

// walk takes a walk into a record.
func (w *worker[T]) walk(number int64, rec *record) {
	rec.clear(len(w.spec.Actions))
	w.rec = rec
	reseed(&w.pcg, w.run.opt.Seed, number)
	rec.start = w.rng.IntN(len(w.run.starts))
	f := w.try(func() {
		if x, ok := w.drawer.(Starter); ok {
			if k := x.Start(number, w.rng); k >= 0 {
				rec.start = k
			}
		}
		if w.drawer != nil {
			w.drawer.Begin(number, w.rng, &w.run.starts[rec.start])
		}
		rec.end = w.take()
	})
	if x, ok := w.drawer.(Learner); ok && f == nil {
		rec.lesson = x.Lesson()
	}
	if noter, ok := w.drawer.(Noter); ok && f == nil && rec.end == violated {
		rec.notes = noter.Notes()
	}
	rec.elapsed = host.Since(w.run.start)
	if f != nil {
		rec.end = failed
		var t checker.Trace[T]
		w.try(func() { t = w.run.trace(w.run.starts[rec.start], rec.steps) })
		rec.err = w.specError(f, t)
	}
}

// take takes steps until the walk ends.
func (w *worker[T]) take() ending {
	rec := w.rec
	w.stand(&w.run.starts[rec.start])
	w.instance = -1
	w.visit(-1)
	for {
		w.look()
		w.note()
		if w.after != nil {
			w.after(rec.length)
		}
		switch {
		case len(w.enabled) == 0 && w.run.opt.Deadlock:
			return violated
		case len(w.enabled) == 0:
			return deadlocked
		case rec.length == w.run.opt.Depth:
			return atDepth
		case w.run.Halted():
			return cut
		}
		if end := w.step(); end != skipped {
			return end
		}
	}
}

// step takes a step, or says what ended the walk.
func (w *worker[T]) step() ending {
	rec := w.rec
	for {
		k := w.drawStep()
		if k < 0 {
			if w.drawer != nil {
				return finished
			}
			return blocked
		}
		o, broken := w.apply(k)
		if o == raised && broken == 0 {
			rec.masked = append(rec.masked, int32(k))
			w.refuse(k)
			continue
		}
		rec.steps = append(rec.steps, int32(k))
		if broken != 0 && o != inside {
			rec.broken = broken
			return violated
		}
		if o == outside {
			return left
		}
		rec.length++
		w.move()
		if w.drawer != nil {
			w.drawer.Took(k, w.n, w.s)
		}
		w.visit(int32(w.spec.Instances[k].Action))
		if broken != 0 {
			rec.broken = broken
			return violated
		}
		return skipped
	}
}

// visit takes the node at which the walker has come to stand.
func (w *worker[T]) visit(action int32) {
	h := fingerprint.Of(w.s)
	if !w.run.seen.has(h) {
		w.rec.fresh = append(w.rec.fresh, visit{h, action})
	}
	if w.run.res.Goals != w.run.allGoals {
		w.during, w.judging = checker.DuringGoal, false
		w.rec.goals |= w.spec.Reached(w.s)
	}
	if w.run.opt.visited != nil {
		w.run.opt.visited(h)
	}
}

// note takes what look found.
func (w *worker[T]) note() {
	for k := range w.live {
		w.rec.enabled[w.live[k].action] += int64(w.live[k].n)
	}
	h := w.abstraction
	if !w.run.abstractions.has(h) {
		w.rec.unseen = append(w.rec.unseen, h)
	}
	if w.learned == nil {
		return
	}
	w.rec.nodes = append(w.rec.nodes, w.known)
	if !w.learned.knows(w.known, w.live) {
		o := options{abstraction: w.known}
		for k := range w.live {
			if w.live[k].weight > 0 {
				o.actions = append(o.actions, int32(w.live[k].action))
			}
		}
		w.rec.met = append(w.rec.met, o)
	}
}
