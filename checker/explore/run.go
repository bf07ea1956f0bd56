package explore

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker"
)

// run is one exploration.
type run[T any] struct {
	spec     *checker.Spec[T]
	opt      Options
	store    *store
	arena    *arena
	table    *table
	log      *traceLog
	gate     *gate
	workers  []*worker[T]
	allGoals uint64

	halted atomic.Bool // workers end as soon as they can
	mu     sync.Mutex
	reason string // why it was halted

	start    time.Time
	levels   []int64 // distinct nodes at each distance
	ends     []int64 // distinct nodes at the end of each level
	numbered int64   // nodes that have a number
	broken   groups[T]
	depth    atomic.Int64 // for those who watch
	expanded atomic.Int64 // nodes, for those who watch
}

// Run explores a specification. A limit or an interrupt makes the result undecided and is no error; the result then says what
// was covered. The error is a *SpecError[T] if the specification panicked, a *ReplayError if a counterexample does not replay, or says
// what the machine lacks. Beside an error the result holds what was found, without a verdict to rely on.
func Run[T any](spec *checker.Spec[T], opt Options) (checker.Result[T], error) {
	r, err := newRun(spec, opt)
	if err == errLimit {
		return checker.Result[T]{
			Verdict: checker.Undecided, Reason: limitReason(opt.Mem), Actions: make([]checker.ActionCount, len(spec.Actions)),
		}, nil
	}
	if err != nil {
		return checker.Result[T]{Verdict: checker.Undecided, Reason: err.Error()}, err
	}
	defer r.store.free()
	stop := r.watch()
	complete := r.explore()
	stop()
	res := r.result(complete)
	for _, w := range r.workers {
		if w.fault != nil {
			return res, r.specError(w.fault)
		}
	}
	res.Violations, err = r.violations()
	return res, err
}

func newRun[T any](spec *checker.Spec[T], opt Options) (*run[T], error) {
	if err := flat[T](); err != nil {
		return nil, err
	}
	opt.complete()
	block, err := blockFor[T](opt.block)
	if err != nil {
		return nil, err
	}
	r := &run[T]{spec: spec, opt: opt, start: time.Now(), broken: groups[T]{}, store: &store{limit: opt.Mem}}
	if spec.Reached != nil && len(spec.Goals) > 0 {
		r.allGoals = ^uint64(0) >> (64 - len(spec.Goals))
	}
	r.arena = &arena{store: r.store, size: block}
	if r.table, err = newTable(r.store, opt.homes); err != nil {
		r.store.free()
		return nil, err
	}
	r.log = newTraceLog(r.arena, opt.Workers)
	r.gate = newGate(r.table, r.outOfMemory)
	for k := range opt.Workers {
		r.workers = append(r.workers, newWorker(r, k))
	}
	return r, nil
}

// explore reports whether every reachable node was expanded.
func (r *run[T]) explore() (complete bool) {
	r.initial()
	for level := r.close(); len(level) > 0; level = r.close() {
		if r.halted.Load() || r.opt.Stop > 0 && r.broken.total() >= int64(r.opt.Stop) {
			return false
		}
		r.expand(level)
	}
	for _, w := range r.workers {
		if w.skipped {
			return false
		}
	}
	return r.opt.MaxStates == 0 || r.numbered <= r.opt.MaxStates
}

func (r *run[T]) initial() {
	w := r.workers[0]
	w.write.most = checker.Batch
	r.gate.start(1)
	defer r.gate.leave()
	defer w.caught()
	x := 0
	r.spec.Init(func(n *T) bool {
		if r.halted.Load() {
			w.skipped = true
			return false
		}
		w.initial(n, x)
		x++
		return true
	})
}

// close ends a level: its nodes are numbered and what was found in it is collected. It returns the nodes of the next one.
func (r *run[T]) close() (level []*chunk) {
	before := r.numbered
	for _, w := range r.workers {
		chunks := w.write.take()
		for _, c := range chunks {
			c.first = r.numbered
			r.numbered += int64(c.nodes)
		}
		r.log.number(w.id, chunks)
		level = append(level, chunks...)
		r.broken.merge(w.broken, len(r.ends))
	}
	r.ends = append(r.ends, r.numbered)
	if n := r.numbered - before; n > 0 {
		r.levels = append(r.levels, n)
		r.depth.Store(int64(len(r.levels) - 1))
	}
	return level
}

// chunksEach is how many chunks of a small level each worker should find, so that all have work until its end.
const chunksEach = 8

// expand makes the successors of a level.
func (r *run[T]) expand(level []*chunk) {
	nodes := r.levels[len(r.levels)-1]
	most := max(int(min(nodes, 1<<30))/(chunksEach*len(r.workers)), checker.Batch)
	var next atomic.Int64
	work := func(w *worker[T]) {
		defer r.gate.leave()
		w.write.most = most
		for k := next.Add(1) - 1; k < int64(len(level)); k = next.Add(1) - 1 {
			w.expand(level[k])
			r.expanded.Add(int64(level[k].nodes))
			r.arena.put(level[k].mem)
		}
	}
	workers := r.workers[:min(len(r.workers), len(level))]
	r.gate.start(len(workers))
	var wait sync.WaitGroup
	for _, w := range workers[1:] {
		wait.Go(func() { work(w) })
	}
	work(workers[0])
	wait.Wait()
}

// count takes the new number of distinct nodes.
func (r *run[T]) count(distinct int64) {
	if distinct > r.table.limit {
		r.gate.wanted.Store(true)
	}
	if r.opt.MaxStates > 0 && distinct > r.opt.MaxStates {
		r.halt(fmt.Sprintf("the limit of %d distinct states is reached", r.opt.MaxStates))
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

func (r *run[T]) outOfMemory(err error) {
	if err == errLimit {
		r.halt(limitReason(r.opt.Mem))
		return
	}
	r.halt(err.Error())
}

func limitReason(bytes int64) string {
	return fmt.Sprintf("the memory limit of %.1f MiB is reached", float64(bytes)/(1<<20))
}

// result is all but the violations.
func (r *run[T]) result(complete bool) checker.Result[T] {
	res := checker.Result[T]{
		Distinct: r.numbered, Levels: r.levels, Depth: max(len(r.levels)-1, 0), Duration: time.Since(r.start),
		Workers: len(r.workers), Memory: r.store.bytes(), Actions: make([]checker.ActionCount, len(r.spec.Actions)),
	}
	for _, w := range r.workers {
		res.Generated += w.generated
		res.Masked += w.masked
		res.Digest += w.digest
		res.Goals |= w.goals
		for k, in := range r.spec.Instances {
			a := &res.Actions[in.Action]
			a.Enabled += w.fired[k]
			a.Fired += w.fired[k]
			a.Distinct += w.first[k]
		}
	}
	if !complete {
		r.mu.Lock()
		res.Reason = r.reason
		r.mu.Unlock()
	}
	switch {
	case len(r.broken) > 0:
		res.Verdict = checker.Violated
	case complete:
		res.Verdict = checker.Holds
	default:
		res.Verdict = checker.Undecided
	}
	return res
}
