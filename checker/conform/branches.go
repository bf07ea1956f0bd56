package conform

import (
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// branches are those that a run's walks took. The program notes them whichever walk it is in, so
// they belong to walks only between two rounds. A run that ends during a round takes those of its
// merged walks once more.
type branches struct {
	noted  *checker.Branches // nil: none are
	ran    []uint32          // of the changed code, when the round began
	first  int64             // the round's first walk
	before []uint32          // what was taken when it began
}

// start forgets what was taken before the run.
func (b *branches) start(noted *checker.Branches) {
	if b.noted = noted; noted != nil {
		clear(noted.Taken)
	}
}

// round notes that a round begins.
func (b *branches) round(first int64) {
	if b.noted != nil {
		b.first, b.before = first, append(b.before[:0], b.noted.Taken...)
	}
}

func (b *branches) count() int {
	if b.noted == nil {
		return 0
	}
	return b.noted.Count()
}

func (b *branches) missing() []checker.Branch {
	if b.noted == nil {
		return nil
	}
	return b.noted.Missing()
}

// unlook takes away the branches of walks after the one with which the run ended, by taking those
// of the round up to it again, on the specification alone.
func (r *run[S, U]) unlook() {
	b := &r.branches
	// Walks that depart are none of the specification's.
	if b.noted == nil || r.Halted() || r.opt.Follow != nil {
		return
	}
	copy(b.noted.Taken, b.before)
	walk := r.workers[0].walk
	refused, exceeded := walk.Refused, walk.Exceeded
	for number := b.first; number <= r.res.Traces+r.res.Undriven; number++ {
		rec := &r.records[number-b.first]
		if r.cover != nil {
			walk.StartAt(rec.init)
			for _, k := range rec.steps {
				if ok, err := walk.Do(int(k)); !ok || err != nil {
					break
				}
			}
			continue
		}
		r.again(number, rec, nil)
	}
	walk.Refused, walk.Exceeded = refused, exceeded
}

// again takes a drawn walk once more, on the specification alone. After is called after the start
// and after each step; nil: nothing is.
func (r *run[S, U]) again(number int64, rec *record, after func(step int)) {
	walk := r.workers[0].walk
	rng := simulate.Source(r.opt.Seed, number)
	if _, err := walk.StartWalk(number, rng); err != nil {
		return
	}
	for step := range rec.steps {
		if after != nil {
			after(step)
		}
		if k, err := walk.Step(rng); k < 0 || err != nil {
			return
		}
	}
	if rec.ended {
		walk.Step(rng)
	}
	if after != nil {
		after(len(rec.steps))
	}
}

// pending is a walk from which the strategy has not learned yet.
type pending struct {
	rec    *record
	number int64
}

// learn lets the strategy learn from the walks of a round.
func (r *run[S, U]) learn() {
	if r.learning == nil {
		return
	}
	r.learnBranches()
	r.learnChanged()
	for _, p := range r.pending {
		r.learning.Learn(p.rec.init, p.rec.steps, p.rec.lesson)
	}
	r.pending = r.pending[:0]
}

// learnBranches takes the walks of a round once more, on the specification alone, if they took new
// branches, and adds these to the lessons. The strategy has not learned from the round yet, so the
// walks are the same.
func (r *run[S, U]) learnBranches() {
	by, ok := r.learning.(simulate.BranchLearning)
	b := &r.branches
	if b.noted == nil || !ok || !by.LearnsBranches() || len(r.pending) == 0 || slices.Equal(b.noted.Taken, b.before) {
		return
	}
	taken, known := slices.Clone(b.noted.Taken), slices.Clone(b.before)
	walk := r.workers[0].walk
	refused, exceeded := walk.Refused, walk.Exceeded
	for k := range r.pending {
		p := &r.pending[k]
		if p.rec.plain || p.rec.departure != nil { // no walk of the strategy on the specification
			continue
		}
		copy(b.noted.Taken, known)
		r.again(p.number, p.rec, func(step int) {
			p.rec.lesson = simulate.NewBranches(b.noted.Taken, known, by, p.rec.lesson, step)
		})
	}
	walk.Refused, walk.Exceeded = refused, exceeded
	copy(b.noted.Taken, taken)
}
