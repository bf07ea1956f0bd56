package explore

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/memory"
)

// end ends the run: as soon as possible or, if a checkpoint must be written, when the current
// chunks are done. The first reason counts.
func (r *run[T]) end(reason string) {
	if !r.because(reason) {
		return
	}
	if r.kept != nil {
		r.due.Store(true)
		return
	}
	r.halted.Store(true)
}

// halt ends the run as soon as possible, in the midst of a node.
func (r *run[T]) halt(reason string) {
	r.because(reason)
	r.halted.Store(true)
}

// because notes why the run ends. It reports whether that is the first reason.
func (r *run[T]) because(reason string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reason != "" {
		return false
	}
	r.reason = reason
	close(r.ends)
	return true
}

// ending reports whether there is a reason for the run to end.
func (r *run[T]) ending() bool {
	select {
	case <-r.ends:
		return true
	default:
		return false
	}
}

// count takes the new number of distinct nodes.
func (r *run[T]) count(distinct int64) {
	if r.table.Crowded(distinct) && !r.opt.late {
		r.gate.wanted.Store(true)
	}
	if r.opt.MaxStates > 0 && distinct > r.opt.MaxStates {
		r.end(statesReason(r.opt.MaxStates))
	}
}

func statesReason(most int64) string {
	return fmt.Sprintf("the limit of %d distinct states is reached", most)
}

// outOfMemory ends the run in the midst of a node, which is lost.
func (r *run[T]) outOfMemory(err error) { r.halt(r.memoryReason(err)) }

// tableFull is called when the table cannot grow. The table usually has room to finish the current
// chunks before a checkpoint; if it has not, tableFull is called again.
func (r *run[T]) tableFull(err error) {
	if r.kept == nil || r.ending() {
		r.halt(r.memoryReason(err))
		return
	}
	r.end(r.memoryReason(err))
}

func (r *run[T]) memoryReason(err error) string {
	if err == memory.ErrLimit {
		return limitReason(r.opt.Mem)
	}
	return err.Error()
}

// await waits for the end of an exploration. One that should end and does not, since the
// specification does not return, is left alone: ended is false then.
func (r *run[T]) await(complete <-chan bool) (res checker.Result[T], err error, ended bool) {
	select {
	case c := <-complete:
		return r.resultOf(c), nil, true
	case <-r.ends:
	}
	for {
		select {
		case c := <-complete:
			return r.resultOf(c), nil, true
		case <-time.After(r.opt.patience):
		}
		if r.saving.Load() {
			continue
		}
		if e := r.stuck(); e != nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			return checker.Result[T]{
				Verdict: checker.Undecided, Reason: r.reason, Distinct: r.table.Used(), Workers: len(r.workers),
				Memory: r.memory(), Actions: make([]checker.ActionCount, len(r.spec.Actions)), Checkpoint: r.kept.report(),
			}, e, false
		}
	}
}

// resultOf returns the result of a run with or without other parts.
func (r *run[T]) resultOf(complete bool) checker.Result[T] {
	if r.part != nil {
		return r.part.result(complete)
	}
	return r.result(complete)
}

// stuck finds the call of the specification that does not return; nil if all do. The state of
// workers is read while they work. Only a stuck worker leaves it as it is, so it is read again.
func (r *run[T]) stuck() error {
	if r.starting.Load() {
		return &SpecError[T]{During: checker.DuringInit, Instance: -1, Value: r.stuckFor(r.opt.patience)}
	}
	for _, w := range r.workers {
		c := w.read.Chunk
		if c == nil {
			continue
		}
		f := fault[T]{s: *w.read.Node(), number: c.First + int64(w.out.Current), instance: -1}
		if k := w.judged; k >= 0 {
			f.judging, f.n, f.instance = true, w.out.Node[k], int(w.out.Instance[k])
			f.number = c.First + int64(w.out.Parent[k])
		}
		if e := r.stuckIn(&f); e != nil {
			return e
		}
	}
	return nil
}

func (r *run[T]) stuckFor(tried time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &checker.StuckError{Reason: r.reason, Tried: tried}
}

// stuckIn does the calls that a worker may be in once more, one after the other, and finds the one
// that takes as long as all of them may.
func (r *run[T]) stuckIn(f *fault[T]) error {
	calls := r.callsOf(f)
	var at atomic.Int64 // the current call; after the last: done
	go func() {
		for k := range calls {
			at.Store(int64(k))
			r.try(calls[k].do)
		}
		at.Store(int64(len(calls)))
	}()
	for last := int64(-1); ; {
		time.Sleep(r.opt.patience / 2)
		now := at.Load()
		switch {
		case now == int64(len(calls)):
			return nil
		case now != last:
			last = now
			continue
		}
		c := calls[now]
		e := &SpecError[T]{During: c.during, Instance: c.instance, Value: r.stuckFor(r.opt.patience)}
		in := r.spec.Instances[c.instance]
		e.Action, e.Params = r.spec.Actions[in.Action].Name, in.Params
		r.try(func() { e.Trace, _ = r.traceTo(f.number, len(r.levels)-1) })
		return e
	}
}

// instanceCall is a call of the specification that belongs to an instance.
type instanceCall struct {
	during   string
	instance int
	do       func()
}

// callsOf returns the calls for the successors of f.s or, where f.n is judged, for that.
func (r *run[T]) callsOf(f *fault[T]) (calls []instanceCall) {
	if f.judging {
		for _, p := range r.judgements(&f.n) {
			calls = append(calls, instanceCall{p.during, f.instance, p.ask})
		}
		return calls
	}
	for k := range r.spec.Instances {
		calls = append(calls, instanceCall{checker.DuringStep, k, func() {
			s, n := f.s, f.s
			if !r.spec.Enabled(&s, k) {
				return
			}
			r.spec.Apply(&s, &n, k)
			if r.spec.Steps != nil {
				r.spec.Steps(&s, &n, k)
			}
		}})
	}
	return calls
}
