package program

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
)

// repeatedWithin bounds the time that a walk takes in a process of its own.
const repeatedWithin = 2 * time.Minute

// lastWords bounds how many lines of what a process wrote are kept.
const lastWords = 60

// ended says what became of a run whose process ended by itself.
func (x *conformer[S, U]) ended(ctx context.Context, req *wire.Request, opt conform.Options) wire.Event {
	asked := req.Options.Conform
	walks, err := conform.ReadJournals(asked.Journal)
	if err != nil {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	first := death(asked.Ended, nil)
	res, err := conform.Ended(x.c, walks, first, func(init []byte, instances []int32) (*conform.Death, error) {
		return repeated(ctx, req, init, instances)
	}, opt)
	if err != nil {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	if version, err := x.impl.Check(opt.Setup.Version); err == nil {
		res.Version = version
	}
	x.branches = nil // those of a process that has ended are not known
	report := x.report(&res, req.Options.Seed)
	if asked.Confirm != nil {
		report.Conformance.Attempts = attempts(report)
	}
	return wire.Event{Report: report}
}

// attempts makes the difference an attempt to confirm: the implementation departs from the trace.
func attempts(r *wire.Report) []wire.Attempt {
	if len(r.Conformance.Found) == 0 {
		return []wire.Attempt{{Outcome: string(conform.Undriven), Message: r.Reason}}
	}
	d := &r.Conformance.Found[0]
	a := wire.Attempt{Outcome: string(conform.Departed), Step: len(d.Trace.Steps), Steps: max(len(d.Trace.Steps)-1, 0), Message: d.Message, Log: d.Log}
	if n := len(d.Trace.Steps); n > 0 {
		a.Action = d.Trace.Steps[n-1].Action + conform.ParamsText(d.Trace.Steps[n-1].Params)
	}
	return []wire.Attempt{a}
}

// repeated does a walk in a new process of this program.
func repeated(ctx context.Context, req *wire.Request, init []byte, instances []int32) (*conform.Death, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	folder, err := host.MkdirTemp(filepath.Dir(req.Options.Conform.Journal), ".new-")
	if err != nil {
		return nil, err
	}
	defer host.RemoveAll(folder)
	asked := *req.Options.Conform
	asked.Journal, asked.Again = folder, &wire.Again{Init: init, Instances: instances}
	asked.Ended, asked.Confirm, asked.Replay, asked.Strategy, asked.Cover, asked.From = nil, nil, nil, nil, "", nil
	one := *req
	one.Options.Conform, one.Options.Workers, one.Options.Timeout = &asked, 1, 0
	ctx, cancel := context.WithTimeout(ctx, repeatedWithin)
	defer cancel()
	_, err = wire.Run(ctx, self, one, nil)
	crash, ok := errors.AsType[*wire.CrashError](err)
	if !ok || !crash.Implementation() {
		return nil, nil // it ended as it should, or in another way, or has no time left
	}
	walks, err := conform.ReadJournals(folder)
	if err != nil || len(walks) != 1 {
		return nil, err
	}
	return death(crash, walks[0].Instances), nil
}

// death describes the end of a process.
func death(e *wire.CrashError, instances []int32) *conform.Death {
	if e == nil {
		return &conform.Death{}
	}
	d := &conform.Death{Message: e.Reason(), Frames: e.Frames(), Instances: instances}
	if d.Message == "" {
		d.Message = e.Status
	}
	lines := strings.Split(strings.TrimRight(e.Words(), "\n"), "\n")
	if k := len(lines) - lastWords; k > 0 && d.Frames == nil {
		lines = lines[k:] // a stack begins with what matters, and anything else ends with it
	}
	d.Log = append([]string{e.Status}, lines[:min(len(lines), lastWords)]...)
	return d
}
