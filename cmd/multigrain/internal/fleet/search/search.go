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

// Engine runs searches in parts: on this machine, or with a server also on others.
type Engine struct {
	Workers int     // parts; 0: two, or with a server one for each worker that is free, and its own
	Server  *Server // whose workers run all parts but the first; nil: this command runs all
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
	var spent time.Duration
	limit := req.Options.Timeout
	for restarts := 0; ; restarts++ {
		var rep *wire.Report
		a, err := e.attempt(ctx, stop, program, req, show)
		if err == nil {
			begun := host.Now()
			rep, err = a.run(ctx, stop)
			spent += host.Since(begun)
		}
		why, lost := lossOf(err)
		switch {
		case rep != nil:
			rep.On = &wire.On{Engine: e.name(), Workers: a.parts, Batches: a.hub.batches.Load(), Bytes: a.hub.bytes.Load(), Restarts: restarts}
			return rep, nil
		case !lost || ctx.Err() != nil:
			return nil, err
		case restarts == mostRestarts:
			return nil, &LostError{fmt.Sprintf("workers of the search were lost %d times; the last time: %s", restarts+1, why)}
		}
		if limit > 0 {
			if req.Options.Timeout = limit - spent; req.Options.Timeout <= 0 {
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
	var crash *partError
	var fault *wire.Error
	switch {
	case errors.As(err, &crash):
		return fmt.Sprintf("worker %d ended (%s)", crash.number+1, crash.Status), crash.Killed
	case errors.As(err, &fault) && fault.Kind == wire.ErrorExchange:
		return fault.Message, true
	}
	return "", false
}

// name returns the name of the engine in documents.
func (e *Engine) name() string {
	if e.Server != nil {
		return "nats"
	}
	return Embedded
}

// partError is the end of the program of one part.
type partError struct {
	number int
	*wire.CrashError
}

// Unwrap returns the end as that of any program.
func (p *partError) Unwrap() error { return p.CrashError }

// attempt is one attempt at a search.
type attempt struct {
	hub     *hub
	crew    *crew // nil: all parts are here
	program string
	req     wire.Request
	show    func(wire.Progress)
	parts   int
}

type outcome struct {
	part   int
	report *wire.Report
	err    error
}

func (e *Engine) attempt(ctx context.Context, stop <-chan struct{}, program string, req wire.Request, show func(wire.Progress)) (*attempt, error) {
	a := &attempt{program: program, req: req, show: show, parts: e.Workers}
	if e.Server == nil {
		if a.parts == 0 {
			a.parts = 2
		}
		a.hub = newHub(a.parts)
		a.hub.through = e.through
		return a, nil
	}
	a.hub = newHub(wire.MostParts)
	var err error
	if a.crew, err = e.Server.gather(ctx, stop, a.parts, a.hub); err != nil {
		return nil, err
	}
	a.parts = 1 + len(a.crew.names)
	a.hub.elsewhere(a.parts, 0, a.crew.seat)
	return a, nil
}

// others is how long the programs of other parts may take to end by themselves, after the result or
// after the first end with an error. So the error that explains most is known.
const others = 3 * time.Second

// run runs the programs of all parts until they have ended.
func (a *attempt) run(ctx context.Context, stop <-chan struct{}) (*wire.Report, error) {
	ctx, kill := context.WithCancel(ctx)
	defer kill()
	if a.crew != nil {
		defer a.crew.leave()
	}
	all := make(chan outcome, a.parts)
	for k := range a.parts {
		go func() { all <- a.part(ctx, k, stop) }()
	}
	var rep *wire.Report
	var errs []error
	for range a.parts {
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
		var crash *partError
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
	req.Options.Share = &wire.Share{Index: k, Count: a.parts}
	if a.crew != nil && k > 0 {
		return outcome{k, nil, a.crew.run(ctx, k, req, a.hub)}
	}
	p := wire.Program{Path: a.program, Frames: a.hub.frames(k)}
	if k == 0 {
		p.Stop, p.Progress = stop, a.show
	}
	rep, err := p.Run(ctx, req)
	var crash *wire.CrashError
	if errors.As(err, &crash) {
		err = &partError{k, crash}
	}
	return outcome{k, rep, err}
}
