package explore

import (
	"fmt"
	"time"

	"github.com/multigrain/multigrain/checker"
)

// watch halts the run at its time limit and when its context is done, and reports progress. The function that it returns
// ends it, and waits for that.
func (r *run[T]) watch() (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	var timeout <-chan time.Time
	if r.opt.Timeout > 0 {
		t := time.NewTimer(r.opt.Timeout)
		timeout = t.C
	}
	var tick <-chan time.Time
	var ticker *time.Ticker
	if r.opt.Progress != nil {
		ticker = time.NewTicker(progressInterval)
		tick = ticker.C
	}
	if r.opt.Context.Err() != nil { // at once, however short the run is
		r.halt("interrupted")
	}
	go func() {
		defer close(ended)
		interrupt := r.opt.Context.Done()
		for {
			select {
			case <-done:
				return
			case <-interrupt:
				r.halt("interrupted")
				interrupt = nil
			case <-timeout:
				r.halt(fmt.Sprintf("the time limit of %s is reached", r.opt.Timeout))
			case <-tick:
				r.opt.Progress(r.progress())
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		if ticker != nil {
			ticker.Stop()
		}
	}
}

func (r *run[T]) progress() checker.Progress {
	p := checker.Progress{
		Depth: int(r.depth.Load()), Distinct: r.table.used.Load(), Elapsed: time.Since(r.start), Memory: r.store.bytes(),
	}
	p.Queue = max(p.Distinct-r.expanded.Load(), 0)
	for _, w := range r.workers {
		p.Generated += w.published.Load()
	}
	return p
}
