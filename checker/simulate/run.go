package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker"
)

// run is one simulation. Walks are taken in rounds: within one, workers read what earlier rounds have found and write records;
// between two, the records are merged in the order of the walks.
type run[T any] struct {
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
	allGoals     uint64
	res          Result[T]
	groups       []*group[T] // in the order in which they were found
	found        int64       // violations
	nextPoint    int64       // walks after which coverage is noted next
	actions      int         // taken at least once
	instances    int
	elapsed      time.Duration // when the last of the merged walks ended

	halted atomic.Bool  // walks are cut
	last   atomic.Int64 // no walk behind this one is wanted
	// For those who watch.
	walks, steps, distinct atomic.Int64
	mu                     sync.Mutex
	reason                 string // why it was halted
}

// Run takes random walks. A limit or an interrupt makes the result undecided and is no error; the result then says what was
// covered. The error is an *explore.SpecError[T] if the specification panicked, an *explore.ReplayError if a violation does not show
// again, or a *WeightError. Beside an error the result holds what was found, without a verdict to rely on.
func Run[T any](spec *checker.Spec[T], opt Options) (Result[T], error) {
	opt.complete()
	r := &run[T]{
		spec: spec, opt: opt, start: time.Now(), seen: newSet(opt.Remember), abstractions: newSet(opt.Remember), nextPoint: 1,
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
	for range opt.Workers {
		w := &worker[T]{run: r}
		w.rng = rand.New(&w.pcg)
		w.walker, _ = newWalker(spec, opt.Weights) // the weights were right before
		w.learned = r.learned
		r.workers = append(r.workers, w)
	}
	stop := r.watch()
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
	for first := int64(1); r.opt.Number == 0 || first <= r.opt.Number; first += r.opt.round {
		n := r.opt.round
		if r.opt.Number > 0 {
			n = min(n, r.opt.Number-first+1)
		}
		r.round(first, n)
		for k := range r.records[:n] {
			if err := r.merge(first+int64(k), &r.records[k]); err != nil {
				return false, err
			}
			if r.enough() {
				return false, nil
			}
		}
		if r.halted.Load() {
			break
		}
	}
	if r.opt.Number == 0 {
		return r.why() == r.timeLimit(), nil
	}
	return r.res.Walks == r.opt.Number, nil
}

// enough reports whether walks that are merged already end the run.
func (r *run[T]) enough() bool {
	if r.opt.MaxStates > 0 && r.res.Distinct > r.opt.MaxStates {
		r.halt(fmt.Sprintf("the limit of %d distinct states is reached", r.opt.MaxStates))
		return true
	}
	return r.opt.Stop > 0 && r.found >= int64(r.opt.Stop)
}

// initial judges the initial nodes.
func (r *run[T]) initial() error {
	f := r.aside.try(func() {
		r.starts, r.res.Masked = r.aside.initials(r.halted.Load, func(n *T, mask uint64) {
			r.violation(mask, -1, example[T]{init: *n})
		})
	})
	switch {
	case f != nil:
		return r.aside.initialFault(f)
	case len(r.starts) == 0:
		r.halt(errNoStart.Error())
	}
	return nil
}

// round takes n walks, from the first on.
func (r *run[T]) round(first, n int64) {
	r.last.Store(first + n - 1)
	var next atomic.Int64
	work := func(w *worker[T]) {
		for k := next.Add(1) - 1; k < n; k = next.Add(1) - 1 {
			rec := &r.records[k]
			if rec.end = skipped; r.halted.Load() || first+k > r.last.Load() {
				continue
			}
			w.walk(first+k, rec)
			r.walks.Add(1)
			r.steps.Add(int64(rec.length))
			if rec.end == failed || rec.end == violated && r.opt.Stop == 1 {
				lower(&r.last, first+k)
			}
		}
	}
	var wait sync.WaitGroup
	for _, w := range r.workers[1:] {
		wait.Go(func() { work(w) })
	}
	work(r.workers[0])
	wait.Wait()
}

// lower makes x at most v.
func lower(x *atomic.Int64, v int64) {
	for have := x.Load(); v < have && !x.CompareAndSwap(have, v); have = x.Load() {
	}
}

// watch halts the run at its time limit and when its context is done, and reports progress. The function that it returns
// ends it, and waits for that.
func (r *run[T]) watch() (stop func()) {
	ctx := r.opt.Context
	if ctx.Err() != nil { // at once, however short the run is
		r.halt("interrupted")
	}
	var cancel context.CancelFunc = func() {}
	if r.opt.Timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, r.opt.Timeout)
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var tick <-chan time.Time
		if r.opt.Progress != nil {
			t := time.NewTicker(progressInterval)
			defer t.Stop()
			tick = t.C
		}
		interrupt := ctx.Done()
		for {
			select {
			case <-done:
				return
			case <-interrupt:
				if interrupt = nil; r.opt.Context.Err() != nil {
					r.halt("interrupted")
				} else {
					r.halt(r.timeLimit())
				}
			case <-tick:
				r.opt.Progress(Progress{r.walks.Load(), r.steps.Load(), r.distinct.Load(), time.Since(r.start)})
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		cancel()
	}
}

// halt ends the run as soon as possible. The first reason counts.
func (r *run[T]) halt(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reason == "" {
		r.reason = reason
	}
	r.halted.Store(true)
}

// why is the reason for which the run was halted, "" if it was not.
func (r *run[T]) why() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reason
}

func (r *run[T]) timeLimit() string {
	return fmt.Sprintf("the time limit of %s is reached", r.opt.Timeout)
}
