// Package walks takes numbered walks with several workers. The results do not depend on the number
// of workers: walks are taken in rounds, each into a place of its own. Between two rounds they are
// merged in the order of their numbers. Packages simulate and conform use it.
package walks

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker/internal/spent"
)

// What it computes. The result of a sequence of numbered walks, taken by several workers, as if one
// worker had taken them in order.
//
// Why it is right. A walk depends on its number and on what walks of earlier rounds have found.
// Within a round workers only read that, and each writes its walk into a place of its own. Between
// two rounds the walks are merged in the order of their numbers. A walk that ends the run lowers
// the last number that is required. Walks before it are still taken, so the first one in order
// decides.
//
// What it costs. All workers wait for the slowest walk of a round. Rounds of many walks make that
// small, and let strategies learn later.
//
// Example. A round of four walks with two workers, and walk 3 ends the run:
//
//	worker 0   1 . . . . 4 skipped
//	worker 1   2 . 3 ends the run
//	merge      1, 2, 3: the result is the same with any number of workers

// tick is the time between two reports of progress.
const tick = 500 * time.Millisecond

// Walks takes and merges walks. Skip and Take are called from several goroutines, each for places
// of its own. Merge is called between rounds.
type Walks interface {
	// Skip says that the walk of a place is not taken.
	Skip(place int)
	// Take takes a walk and reports whether none after it is required. Walks are numbered from 1,
	// workers and places from 0.
	Take(worker, place int, number int64) (last bool)
	// Merge adds the result of a walk to the totals, in the order of the numbers, and reports
	// whether the run ends there.
	Merge(place int, number int64) (done bool, err error)
}

// Runner runs rounds until as many walks are taken as asked for, or until it is halted.
type Runner struct {
	Workers int
	Number  int64 // of walks; 0: no limit
	// Timeout halts the run, 0: never. So does Context when it is done.
	Timeout time.Duration
	// Clock returns the time that counts for Timeout, and Most halts the run whatever it returns.
	// Nil: the time since Watch counts.
	Clock   func() time.Duration
	Most    time.Duration
	Context context.Context
	// Progress is called about every half second from a goroutine of its own. Nil: not at all.
	Progress func()

	halted atomic.Bool
	halt   chan struct{} // closed when halted; nil where nobody asked for it
	last   atomic.Int64  // no walk after this one is required
	mu     sync.Mutex
	reason string
}

// Run takes rounds of walks until Number walks are taken or the run is halted. The function size
// returns how many walks a round has at most, by the number of its first walk, from 1. It must not
// be more than there are places. Stopped reports that Merge ended the run. The error is Merge's.
func (r *Runner) Run(w Walks, size func(first int64) int64) (stopped bool, err error) {
	for first := int64(1); r.Number == 0 || first <= r.Number; {
		n := size(first)
		if r.Number > 0 {
			n = min(n, r.Number-first+1)
		}
		r.round(w, first, n)
		for k := range n {
			if done, err := w.Merge(int(k), first+k); done || err != nil {
				return done, err
			}
		}
		if r.halted.Load() {
			return false, nil
		}
		first += n
	}
	return false, nil
}

// round takes n walks, from the first on.
func (r *Runner) round(w Walks, first, n int64) {
	r.last.Store(first + n - 1)
	var next atomic.Int64
	work := func(worker int) {
		for k := next.Add(1) - 1; k < n; k = next.Add(1) - 1 {
			if r.halted.Load() || first+k > r.last.Load() {
				w.Skip(int(k))
			} else if w.Take(worker, int(k), first+k) {
				lower(&r.last, first+k)
			}
		}
	}
	var wait sync.WaitGroup
	for x := range r.Workers - 1 {
		wait.Go(func() { work(x + 1) })
	}
	work(0)
	wait.Wait()
}

// lower makes x at most v.
func lower(x *atomic.Int64, v int64) {
	for have := x.Load(); v < have && !x.CompareAndSwap(have, v); have = x.Load() {
	}
}

// Watch halts the run at its time limit and when its context is done, and reports progress. The
// function that it returns ends it, and waits for that.
func (r *Runner) Watch() (stop func()) {
	ctx := r.Context
	if ctx.Err() != nil { // at once, however short the run is
		r.Halt(spent.Why(ctx))
	}
	var cancel context.CancelFunc = func() {}
	most, reads := r.Timeout, r.Timeout > 0 && r.Clock != nil
	if reads {
		most = r.Most
	}
	if most > 0 {
		ctx, cancel = context.WithTimeout(ctx, most)
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var ticks <-chan time.Time
		if r.Progress != nil {
			t := time.NewTicker(tick)
			defer t.Stop()
			ticks = t.C
		}
		var readings <-chan time.Time
		if reads {
			t := time.NewTicker(max(min(tick/10, r.Timeout/2), time.Millisecond))
			defer t.Stop()
			readings = t.C
		}
		interrupt := ctx.Done()
		for {
			select {
			case <-done:
				return
			case <-interrupt:
				if interrupt = nil; r.Context.Err() != nil {
					r.Halt(spent.Why(r.Context))
				} else {
					r.Halt(r.TimeLimit())
				}
			case <-readings:
				if r.Clock() >= r.Timeout {
					r.Halt(r.TimeLimit())
					readings = nil
				}
			case <-ticks:
				r.Progress()
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		cancel()
	}
}

// Halt ends the run as soon as possible. The first reason counts.
func (r *Runner) Halt(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reason == "" {
		r.reason = reason
	}
	if !r.halted.Swap(true) && r.halt != nil {
		close(r.halt)
	}
}

// Halting returns a channel that is closed when the run must end.
func (r *Runner) Halting() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.halt == nil {
		r.halt = make(chan struct{})
		if r.halted.Load() {
			close(r.halt)
		}
	}
	return r.halt
}

// Halted reports whether the run is to end.
func (r *Runner) Halted() bool { return r.halted.Load() }

// Why returns the reason for which the run was halted, "" if it was not.
func (r *Runner) Why() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reason
}

// TimeLimit returns the reason of a run that its time limit halted.
func (r *Runner) TimeLimit() string {
	return fmt.Sprintf("the time limit of %s is reached", r.Timeout)
}

// InTime reports whether a run without a number of walks took the time that it was given, or the
// processor time.
func (r *Runner) InTime() bool {
	return r.Why() == r.TimeLimit() || spent.Reached(r.Context) && r.Why() == spent.Why(r.Context)
}

// Reason returns why a run took only a number of the walks that it should take, "" if nothing
// halted it.
func (r *Runner) Reason(taken int64) string {
	why := r.Why()
	if why != "" && r.Number > 0 {
		why += fmt.Sprintf(" after %d of %d walks", taken, r.Number)
	}
	return why
}

// After returns the next of 1, 2, 5, 10, 20, 50, ..., the numbers of walks after which coverage is
// noted.
func After(point int64) int64 {
	decade := int64(1)
	for decade*10 <= point {
		decade *= 10
	}
	if point/decade == 2 {
		return decade * 5
	}
	return point * 2
}
