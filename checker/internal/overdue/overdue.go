// Package overdue ends a run that must end and does not, since a function of the specification or
// of an adapter does not return. It names the function.
package overdue

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/spent"
	"github.com/multigrain/multigrain/checker/wire"
)

// What it computes. Whether a run that must end is held up by a function of the specification, or
// of the adapter, that does not return; and which function that is.
//
// Why it is right. A run must end at its time limit and when it is interrupted. From then on the
// stacks of all goroutines are looked at, again and again. The frames of the checker that lead to
// a function of the user, with their arguments, stay the same only as long as that call lasts: the
// checker continues with another state or another instance then. So a function is named only if
// every observation of several seconds found it in the same call. Where the work ends by itself,
// nothing is named. No call pays for this, and none can be forgotten: whatever the checker calls is
// on a stack.
//
// What it costs. Nothing before the run must end, and then an observation every tenth of a second.
//
// Example. Patience is 3 seconds; the time is over, and a worker does not end:
//
//	3.0 s   liveness.build(0xc0001, ...) -> sys.from at state.go:40
//	3.1 s   liveness.build(0xc0001, ...) -> sys.from at state.go:41
//	6.1 s   liveness.build(0xc0001, ...) -> sys.from at state.go:40: sys.from is named

// How long a call may last after the end of the time. Strategies that find the call themselves, and
// the trace to it, have ownPatience for that. Adapters may wait for real servers.
const (
	usualPatience   = 3 * time.Second
	ownPatience     = 12 * time.Second
	adapterPatience = time.Minute
	// A call is seen so often before it is named: a process that was stopped has seen less.
	observations = 25
)

// Run is a run that is watched.
type Run struct {
	timeout time.Duration // of the run; 0: none
	hurry   time.Duration // replaces the patience; 0: nothing does
	// nanoseconds, for functions of the specification and of the adapter
	patience, adapter atomic.Int64
	// partial is the answer if the run ends now, before its end. It may be nil.
	partial atomic.Pointer[wire.Report]
}

// New watches the run of a request. Hurry replaces the patience, unless it is 0.
func New(req *wire.Request, hurry time.Duration) *Run {
	w := &Run{timeout: req.Options.Timeout, hurry: hurry}
	w.patience.Store(int64(cmp.Or(hurry, usualPatience)))
	if req.Verb == "check" || req.Verb == "preserve" {
		w.patience.Store(int64(cmp.Or(hurry, ownPatience)))
	}
	w.adapter.Store(int64(cmp.Or(hurry, adapterPatience)))
	return w
}

// Known keeps the answer for a run that ends now. From then on calls have the usual patience.
func (w *Run) Known(r *wire.Report) {
	w.partial.Store(r)
	w.patience.Store(int64(cmp.Or(w.hurry, usualPatience)))
}

// Patient gives an adapter more time.
func (w *Run) Patient(d time.Duration) {
	w.adapter.Store(max(w.adapter.Load(), int64(d)))
}

// Do answers a request. Work that must end and does not, because of a call that does not
// return, is left alone: the answer names the call then.
func (w *Run) Do(ctx context.Context, answer func() wire.Event) wire.Event {
	done := make(chan wire.Event, 1)
	go func() { done <- answer() }()
	var over <-chan time.Time
	if w.timeout > 0 {
		t := time.NewTimer(w.timeout)
		defer t.Stop()
		over = t.C
	}
	select {
	case e := <-done:
		return e
	case <-ctx.Done():
	case <-over:
	}
	look := time.NewTicker(cmp.Or(w.hurry, usualPatience) / (observations + 5))
	defer look.Stop()
	calls := map[string]*lasting{}
	for {
		select {
		case e := <-done:
			return e
		case <-look.C:
		}
		calls = seen(calls, wire.Calls(stacks()), host.Now())
		if c := w.stuck(calls); c != nil {
			return w.answer(ctx, c)
		}
	}
}

// lasting is a call that every observation since a time has found.
type lasting struct {
	wire.Call
	since, last time.Time
	seen, waits int    // observations of it, and those in which it waited
	waited      string // for what it did last
}

// shown says what observations saw of a call.
func (c *lasting) shown() string {
	if 2*c.waits < c.seen {
		return "a loop without end, most likely"
	}
	return fmt.Sprintf("it waited in %d of %d observations, for %q at last", c.waits, c.seen, c.waited)
}

// seen returns the calls of an observation, with those that were seen in the last one as well.
func seen(before map[string]*lasting, now []wire.Call, at time.Time) map[string]*lasting {
	after := map[string]*lasting{}
	for _, c := range now {
		x := before[c.Key]
		if x == nil {
			x = &lasting{since: at}
		}
		x.Call, x.last = c, at
		if x.seen++; c.Waits != "" {
			x.waits, x.waited = x.waits+1, c.Waits
		}
		after[c.Key] = x
	}
	return after
}

// stuck returns the call that lasts too long; nil if none does.
func (w *Run) stuck(calls map[string]*lasting) (first *lasting) {
	for _, c := range calls {
		patience := time.Duration(w.patience.Load())
		if c.Adapter {
			patience = max(patience, time.Duration(w.adapter.Load()))
		}
		if c.seen < observations || c.last.Sub(c.since) < patience {
			continue
		}
		if first == nil || cmp.Or(c.since.Compare(first.since), strings.Compare(c.Key, first.Key)) < 0 {
			first = c
		}
	}
	return first
}

// answer names a call. After an interrupt, and where something was found before, it is the answer
// that Known keeps.
func (w *Run) answer(ctx context.Context, c *lasting) wire.Event {
	why := fmt.Sprintf("the time limit of %s is reached", w.timeout)
	if ctx.Err() != nil {
		why = spent.Why(ctx)
	}
	at := c.Place
	if at.Line <= 1 { // the compiler has lost the line
		at.Func, at.File, at.Line = fmt.Sprintf("%s in %s", at.Func, filepath.Base(at.File)), "", 0
	}
	message := fmt.Sprintf("%s, and %s has not returned for %s: %s",
		why, at.Func, c.last.Sub(c.since).Round(time.Second/10), c.shown())
	if r := w.partial.Load(); r != nil && (ctx.Err() != nil || r.Verdict == string(checker.Violated)) {
		out := *r
		out.Reason = message
		return wire.Event{Report: &out}
	}
	e := &wire.Error{Kind: wire.ErrorSpec, Message: message, File: at.File, Line: at.Line, Stuck: true}
	if c.Adapter {
		e.Kind = wire.ErrorAdapter
	}
	return wire.Event{Error: e}
}

// stacks returns a dump of all goroutines.
func stacks() string {
	for size := 1 << 20; ; size *= 2 {
		b := make([]byte, size)
		if n := runtime.Stack(b, true); n < size || size >= 1<<26 {
			return string(b[:n])
		}
	}
}
