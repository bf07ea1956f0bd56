package conform

import (
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/rehearse"
	"github.com/multigrain/multigrain/checker/internal/simulate"
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
	if r.opt.Setup.Code != nil {
		r.learnNoted(by, first)
		return
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

// learnNoted is learnChanged where each walk has noted for itself which places it ran.
func (r *run[S, U]) learnNoted(by simulate.BranchLearning, first int) {
	known := slices.Clone(r.branches.ran)
	for k := range r.pending {
		rec := r.pending[k].rec
		for _, at := range rec.noted {
			if known[at.place] == 0 && !rec.plain {
				known[at.place] = 1
				rec.lesson = by.Branch(rec.lesson, first+at.place, at.step)
			}
		}
	}
}

// notedAt is a place of the changed code, as a position in checker.Branches.Taken, and the step
// that ran it first in a walk.
type notedAt struct{ place, step int }

// note notes which places have run since the last step.
func (rec *record) note(ran []int) {
	for _, k := range ran {
		if !slices.ContainsFunc(rec.noted, func(at notedAt) bool { return at.place == k }) {
			rec.noted = append(rec.noted, notedAt{k, len(rec.steps)})
		}
	}
}

// Bounds of a rehearsal.
const (
	mostRehearsed = 400 // walks that are chosen
	rehearsalTime = 4 * time.Second
)

// rehearse lets a guided strategy begin with walks that come across the most on the specification
// alone. Half of them have the weights of the run, and half none.
func (r *run[S, U]) rehearse() error {
	g, ok := r.by.(*simulate.Guided[checker.Node[S, U]])
	if !ok || r.opt.Follow == nil || r.opt.Follow.Rehearse == 0 {
		return nil
	}
	even := map[string]float64{}
	for name, w := range r.opt.Weights {
		if w == 0 {
			even[name] = 0
		}
	}
	var by []*simulate.Stepper[checker.Node[S, U]]
	for _, weights := range []map[string]float64{r.opt.Weights, even} {
		walk, err := r.workers[0].scout(weights)
		if err != nil {
			return err
		}
		by = append(by, walk)
	}
	g.First = rehearse.Choose(by, r.c.Bound, rehearse.Options{Walks: r.opt.Follow.Rehearse, Most: mostRehearsed, Depth: r.opt.Depth, Seed: r.opt.Seed,
		Time: rehearsalTime, Aims: g.Aims, Noted: r.opt.Branches, Halted: r.Halted})
	return nil
}

// again does steps on the implementation, whatever it has after them. After is called after the
// start and after each step.
func (t *tester[S, U]) again(init *checker.Node[S, U], steps []int32, after func(step int)) {
	defer func() { _ = recover() }() // the specification fails in a state that it does not have
	t.journal.begin(0, bytesOf(init))
	before, next := *init, *init
	d := t.start(&before.State)
	for k, instance := range steps {
		if after(k); d != nil && !d.followed() {
			return
		}
		t.spec.Apply(&before, &next, int(instance))
		if d = t.step(int(instance), &before.State, &next.State); d != nil && d.followed() {
			t.vars.take(&next.State, &t.have)
		}
		before = next
	}
	after(len(steps))
}
