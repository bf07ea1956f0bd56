package conform

import (
	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/simulate"
)

// branches are those that a run's walks took. The program notes them whichever walk it is in, so they belong to walks only between two
// rounds; a run that ends amid one takes those of its walks that are merged once more.
type branches struct {
	noted  *checker.Branches // nil: none are
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

// unlook takes away the branches of walks behind the one with which the run ended, by taking those of the round up to it again, on the
// specification alone.
func (r *run[S, U]) unlook() {
	b := &r.branches
	if b.noted == nil || r.Halted() {
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
		if r.by != nil {
			walk.Again(rec.init, rec.steps)
			continue
		}
		rng := simulate.Source(r.opt.Seed, number)
		walk.Start(rng)
		for range rec.steps {
			if k, err := walk.Step(rng); k < 0 || err != nil {
				break
			}
		}
		if rec.short {
			walk.Step(rng)
		}
	}
	walk.Refused, walk.Exceeded = refused, exceeded
}
