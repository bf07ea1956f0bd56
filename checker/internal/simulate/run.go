package simulate

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/walks"
)

// run is one simulation. Walks are taken in rounds: within one, workers read what earlier rounds
// have found and write records; between two, the records are merged in the order of the walks.
type run[T any] struct {
	walks.Runner
	spec    *checker.Spec[T]
	opt     Options
	start   time.Time
	workers []*worker[T]
	aside   *walker[T] // for what is not a walk: initial nodes, traces, shrinking
	starts  []T
	records []record

	// Written between rounds only.
	seen         *set // nodes
	abstractions *set
	learned      *learner
	learning     Learning  // nil where the strategy does not learn
	pending      []pending // walks of the round from which it will learn
	branches     []uint32  // taken before the round
	scratch      record
	allGoals     uint64
	res          Result[T]
	groups       []*group[T] // in the order in which they were found
	found        int64       // violations
	nextPoint    int64       // walks after which coverage is noted next
	actions      int         // taken at least once
	instances    int
	elapsed      time.Duration // when the last of the merged walks ended

	// For those who watch.
	walks, steps, distinct atomic.Int64
}

// Run takes random walks. A limit or an interrupt makes the result undecided and is no error; the
// result then says what was covered. The error is an *checker.SpecError[T] if the specification
// panicked, an *checker.ReplayError if a violation does not show again, or a *WeightError. Together
// with an error the result holds what was found, without a reliable verdict.
func Run[T any](spec *checker.Spec[T], opt Options) (Result[T], error) {
	return runWith(spec, opt, nil)
}

func runWith[T any](spec *checker.Spec[T], opt Options, by Strategy[T]) (Result[T], error) {
	opt.complete()
	r := &run[T]{
		Runner: walks.Runner{Workers: opt.Workers, Number: opt.Number, Timeout: opt.Timeout, Context: opt.Context},
		spec:   spec, opt: opt, start: host.Now(), seen: newSet(opt.Remember), abstractions: newSet(opt.Remember), nextPoint: 1,
	}
	if opt.Progress != nil {
		r.Progress = func() { opt.Progress(Progress{r.walks.Load(), r.steps.Load(), r.distinct.Load(), host.Since(r.start)}) }
	}
	r.res.Actions = make([]checker.ActionCount, len(spec.Actions))
	r.res.Instances = make([]int64, len(spec.Instances))
	r.res.Workers, r.res.Verdict = opt.Workers, checker.Undecided
	if spec.Reached != nil && len(spec.Goals) > 0 {
		r.allGoals = ^uint64(0) >> (64 - len(spec.Goals))
	}
	var err error
	if r.aside, err = newWalker(spec, opt.Weights); err != nil {
		return r.res, err
	}
	if opt.Learned {
		r.learned = newLearner(len(spec.Actions))
	}
	if x, ok := by.(Learning); ok {
		r.learning, r.opt.round = x, x.Round()
	}
	for range opt.Workers {
		w := &worker[T]{run: r}
		w.rng = rand.New(&w.pcg)
		w.walker, _ = newWalker(spec, opt.Weights) // the weights were right before
		w.learned, w.hash, w.bytes = r.learned, opt.Hash, opt.Bytes
		if by != nil {
			w.drawer = by.Drawer()
		}
		r.workers = append(r.workers, w)
	}
	stop := r.Watch()
	complete, err := r.simulate()
	stop()
	r.finish(complete)
	if err != nil {
		return r.res, err
	}
	if f := r.aside.try(func() { r.res.Violations, r.res.Origins, err = r.violations() }); f != nil {
		return r.res, r.aside.specError(f, checker.Trace[T]{})
	}
	return r.res, err
}

// simulate reports whether everything that was asked for was done.
func (r *run[T]) simulate() (complete bool, err error) {
	if err := r.initial(); err != nil {
		return false, err
	}
	if len(r.starts) == 0 || r.enough() {
		return false, nil
	}
	r.records = make([]record, r.opt.round)
	if stopped, err := r.Run(r, func(int64) int64 {
		r.learnRound()
		return r.opt.round
	}); stopped || err != nil {
		return false, err
	}
	if r.opt.Number == 0 {
		return r.InTime(), nil
	}
	return r.res.Walks == r.opt.Number, nil
}

// enough reports whether walks that are merged already end the run.
func (r *run[T]) enough() bool {
	if r.opt.MaxStates > 0 && r.res.Distinct > r.opt.MaxStates {
		r.Halt(fmt.Sprintf("the limit of %d distinct states is reached", r.opt.MaxStates))
		return true
	}
	return r.opt.Stop > 0 && r.found >= int64(r.opt.Stop)
}

// initial judges the initial nodes.
func (r *run[T]) initial() error {
	f := r.aside.try(func() {
		r.starts, r.res.Masked = r.aside.initials(r.Halted, func(n *T, mask uint64) {
			r.violation(mask, -1, example[T]{init: *n})
		})
	})
	switch {
	case f != nil:
		return r.aside.initialFault(f)
	case len(r.starts) == 0:
		r.Halt(errNoStart.Error())
	}
	return nil
}

// Skip notes that a walk is not taken.
func (r *run[T]) Skip(place int) { r.records[place].end = skipped }

// Take takes a walk.
func (r *run[T]) Take(worker, place int, number int64) (last bool) {
	rec := &r.records[place]
	r.workers[worker].walk(number, rec)
	r.walks.Add(1)
	r.steps.Add(int64(rec.length))
	return rec.end == failed || rec.end == violated && r.opt.Stop == 1
}
