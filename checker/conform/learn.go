package conform

import (
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/simulate"
)

// What it computes. Which walk of a round was the first to run a place of the changed code, and
// with which step: a strategy that learns from branches keeps that walk.
//
// Why it is right. The program notes what ran for all walks together. So a round in which a new
// place ran is done once more on the implementation, one walk after the other in the order of their
// numbers. What is learned does not depend on the number of workers.
//
// What it costs. Nothing for a round without a new place, and at most a round's walks for another
// one. There are at most as many of these as places.
//
// Example. Walks 65 to 128 ran line 12 for the first time. They are done again until it runs:
//
//	walk 65    70 steps, not line 12
//	walk 66    line 12 runs in step 31: its first 31 steps are kept

// roundChanged notes that a round begins.
func (r *run[S, U]) roundChanged() {
	if f := r.opt.Follow; f != nil && f.Changed != nil {
		r.branches.ran = append(r.branches.ran[:0], f.Changed.Taken...)
	}
}

// learnChanged adds the places of the changed code that walks of the last round were the first to
// run to their lessons. Places have numbers after those of the specification's branches.
func (r *run[S, U]) learnChanged() {
	by, ok := r.learning.(simulate.BranchLearning)
	if !ok || r.opt.Follow == nil || r.opt.Follow.Changed == nil || !by.LearnsBranches() || r.branches.ran == nil {
		return
	}
	noted := r.opt.Follow.Changed.Taken
	if slices.Equal(noted, r.branches.ran) {
		return
	}
	first := 0
	if r.branches.noted != nil {
		first = len(r.branches.noted.Taken)
	}
	taken, known := slices.Clone(noted), slices.Clone(r.branches.ran)
	for k := range r.pending {
		p := &r.pending[k]
		copy(noted, known)
		r.workers[0].test.again(&r.starts[p.rec.init], p.rec.steps, func(step int) {
			for place, x := range noted {
				if x != 0 && known[place] == 0 {
					known[place] = 1
					p.rec.lesson = by.Branch(p.rec.lesson, first+place, step)
				}
			}
		})
		if slices.Equal(known, taken) {
			break
		}
	}
	copy(noted, taken)
}

// again does steps on the implementation, whatever it has after them. After is called after the
// start and after each step.
func (t *tester[S, U]) again(init *checker.Node[S, U], steps []int32, after func(step int)) {
	defer func() { _ = recover() }() // the specification fails in a state that it does not have
	t.journal.begin(0, bytesOf(init))
	before, next := *init, *init
	d := t.start(&before.State)
	for k, instance := range steps {
		if after(k); d != nil && d.kind != Variable {
			return
		}
		t.spec.Apply(&before, &next, int(instance))
		if d = t.step(int(instance), &before.State, &next.State); d != nil && d.kind == Variable {
			t.vars.take(&next.State, &t.have)
		}
		before = next
	}
	after(len(steps))
}
