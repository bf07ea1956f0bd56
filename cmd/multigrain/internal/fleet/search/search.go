package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
)

// Embedded is the engine whose parts are processes of this command.
const Embedded = "embedded"

// Engine runs searches in parts on this machine.
type Engine struct {
	Workers int // parts; 0: two
	// Lost is called with a sentence when a worker is lost and the search begins again.
	Lost func(why string)

	through func(frame []byte) [][]byte // see hub
}

// mostRestarts is how often a search begins again.
const mostRestarts = 3

// LostError says that a search has no result, since workers were lost again and again.
type LostError struct{ Text string }

func (e *LostError) Error() string { return e.Text }

// Undecided says why the search is undecided.
func (e *LostError) Undecided() string { return e.Text }

// Run runs a program until it has answered a request of verb check. When stop is closed, the search
// ends with the result that there is. The error is that of wire.Program.Run, or a *LostError.
func (e *Engine) Run(ctx context.Context, stop <-chan struct{}, program string, req wire.Request, show func(wire.Progress)) (*wire.Report, error) {
	begun, limit := host.Now(), req.Options.Timeout
	for restarts := 0; ; restarts++ {
		a := e.attempt(program, req, show)
		rep, err := a.run(ctx, stop)
		why, lost := lossOf(err)
		switch {
		case rep != nil:
			rep.On = &wire.On{Engine: Embedded, Workers: len(a.ended), Batches: a.hub.batches.Load(), Bytes: a.hub.bytes.Load(), Restarts: restarts}
			return rep, nil
		case !lost || ctx.Err() != nil:
			return nil, err
		case restarts == mostRestarts:
			return nil, &LostError{fmt.Sprintf("workers of the search were lost %d times; the last time: %s", restarts+1, why)}
		}
		if limit > 0 {
			if req.Options.Timeout = limit - host.Since(begun); req.Options.Timeout <= 0 {
				return nil, &LostError{fmt.Sprintf("the time limit of %s is reached, and before that a worker of the search was lost: %s", limit, why)}
			}
		}
		select {
		case <-stop:
			return nil, &LostError{"interrupted, and before that a worker of the search was lost: " + why}
		default:
		}
		if e.Lost != nil {
			e.Lost(why)
		}
	}
}

// lossOf says whether an error is that of a worker that was lost: another attempt may succeed.
func lossOf(err error) (why string, lost bool) {
	var crash *part
	var fault *wire.Error
	switch {
	case errors.As(err, &crash):
		return fmt.Sprintf("worker %d ended (%s)", crash.number+1, crash.Status), crash.Killed
	case errors.As(err, &fault) && fault.Kind == wire.ErrorExchange:
		return fault.Message, true
	}
	return "", false
}

// part is the end of the program of one part.
type part struct {
	number int
	*wire.CrashError
}

// Unwrap returns the end as that of any program.
func (p *part) Unwrap() error { return p.CrashError }

// attempt is one attempt at a search.
type attempt struct {
	hub     *hub
	program string
	req     wire.Request
	show    func(wire.Progress)
	ended   []chan outcome
}

type outcome struct {
	part   int
	report *wire.Report
	err    error
}

func (e *Engine) attempt(program string, req wire.Request, show func(wire.Progress)) *attempt {
	n := e.Workers
	if n == 0 {
		n = 2
	}
	h := newHub(n)
	h.through = e.through
	return &attempt{hub: h, program: program, req: req, show: show, ended: make([]chan outcome, n)}
}

// others is how long the programs of other parts may take to end by themselves, after the result or
// after the first end with an error. So the error that explains most is known.
const others = 3 * time.Second

// run runs the programs of all parts until they have ended.
func (a *attempt) run(ctx context.Context, stop <-chan struct{}) (*wire.Report, error) {
	ctx, kill := context.WithCancel(ctx)
	defer kill()
	all := make(chan outcome, len(a.ended))
	for k := range a.ended {
		go func() { all <- a.part(ctx, k, stop) }()
	}
	var rep *wire.Report
	var errs []error
	for range a.ended {
		o := <-all
		if o.part == 0 {
			rep = o.report
		}
		if o.err != nil {
			errs = append(errs, o.err)
		}
		if o.err != nil || rep != nil {
			timer := time.AfterFunc(others, kill)
			defer timer.Stop()
		}
	}
	if rep != nil {
		return rep, nil
	}
	return nil, telling(errs)
}

// telling returns the error that says most: a fault of the specification or the machine, the end of
// a program, and last that parts lost each other.
func telling(errs []error) (best error) {
	rank := func(err error) int {
		var fault *wire.Error
		var crash *part
		switch {
		case errors.As(err, &fault) && fault.Kind != wire.ErrorExchange:
			return 4
		case errors.As(err, &crash):
			return 3
		case fault != nil:
			return 2
		}
		return 1
	}
	for _, err := range errs {
		if best == nil || rank(err) > rank(best) {
			best = err
		}
	}
	return best
}

// part runs the program of a part. Only the first one is asked to stop, and shows progress.
func (a *attempt) part(ctx context.Context, k int, stop <-chan struct{}) outcome {
	req := a.req
	req.Options.Share = &wire.Share{Index: k, Count: len(a.ended)}
	p := wire.Program{Path: a.program, Frames: a.frames(k)}
	if k == 0 {
		p.Stop, p.Progress = stop, a.show
	}
	rep, err := p.Run(ctx, req)
	var crash *wire.CrashError
	if errors.As(err, &crash) {
		err = &part{k, crash}
	}
	return outcome{k, rep, err}
}
