package explore

import (
	"fmt"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
)

// watch ends the run at its time limit, when its context is done, and when memory is short. It asks
// for checkpoints and reports progress. The function that it returns ends it, and waits for that.
func (r *run[T]) watch() (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	var timeout <-chan time.Time
	if r.opt.Timeout > 0 {
		t := time.NewTimer(r.opt.Timeout)
		timeout = t.C
	}
	tick, endTick := ticks(progressInterval, r.opt.Progress != nil)
	look, endLook := ticks(memoryInterval, true)
	save, endSave := ticks(r.opt.Interval, r.kept != nil && r.opt.Interval > 0)
	if r.opt.Context.Err() != nil { // at once, however short the run is
		r.end(interrupted)
	}
	go func() {
		defer close(ended)
		interrupt := r.opt.Context.Done()
		for {
			select {
			case <-done:
				return
			case <-interrupt:
				r.end(interrupted)
				interrupt = nil
			case <-timeout:
				r.end(fmt.Sprintf("the time limit of %s is reached", r.opt.Timeout))
			case <-look:
				if host.MemoryShort() {
					r.end(host.NoMemory)
				}
			case <-save:
				if r.worked() >= r.opt.Interval {
					r.due.Store(true)
				}
			case <-tick:
				p := r.progress()
				if r.part != nil {
					p = r.part.together(p)
				}
				r.opt.Progress(p)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		endTick()
		endSave()
		endLook()
	}
}

// worked returns for how long the run has continued since its last checkpoint, less the time that
// writing it took. So where the disk is slow, at least half of the time is for exploring. It
// returns 0 while one is being written.
func (r *run[T]) worked() time.Duration {
	if r.saving.Load() {
		return 0
	}
	return host.Since(r.start) - time.Duration(r.rested.Load())
}

const interrupted = "interrupted"

// memoryInterval is how often a run asks how much memory is left. It takes less than a fortieth of
// most machines' memory meanwhile.
const memoryInterval = 100 * time.Millisecond

// ticks returns a ticker's channel, nil unless it is required, and what stops it.
func ticks(every time.Duration, wanted bool) (<-chan time.Time, func()) {
	if !wanted {
		return nil, func() {}
	}
	t := time.NewTicker(every)
	return t.C, t.Stop
}

func (r *run[T]) progress() checker.Progress {
	p := checker.Progress{
		Depth: int(r.depth.Load()), Distinct: r.table.Used(), Elapsed: r.before + host.Since(r.start), Memory: r.memory(),
	}
	p.Queue = max(p.Distinct-r.expanded.Load(), 0)
	for _, w := range r.workers {
		p.Generated += w.published.Load()
	}
	return p
}
