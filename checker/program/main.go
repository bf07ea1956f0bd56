// Package program is the main of an assembled specification: it reads one wire.Request, runs it and writes wire.Events. The
// composer generates the few lines that call Main with the specification's types.
package program

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"runtime/pprof"
	"sync"
	"syscall"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// Program is what the composer knows of an assembled specification.
type Program[S any, U checker.Counters] struct {
	// Compose makes the specification of an encoded grains.Choice.
	Compose func(choice []byte) (*modules.Spec[S], error)
	// Enums are the constants of the specification's integer types: type name, value, constant.
	Enums map[string]map[int64]string
	// Next makes the next-state function that calls guards and effects directly. Nil where only the table is built.
	Next func(spec *modules.Spec[S]) func(s *checker.Node[S, U], out *checker.Successors[checker.Node[S, U]])
}

// Main runs the program on the process's standard streams and exits: 0 when a report or an error was written.
func Main[S any, U checker.Counters](p Program[S, U]) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, p, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run[S any, U checker.Counters](ctx context.Context, p Program[S, U], in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("no request: %w", err)
	}
	var req wire.Request
	if err := json.Unmarshal(line, &req); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	go func() { // the command is gone when its end of the pipe closes
		io.Copy(io.Discard, lines)
		cancel()
	}()
	send := &sender{to: json.NewEncoder(out)}
	spec, err := p.Compose(req.Choice)
	if err != nil {
		return send.event(wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}})
	}
	bound, err := checker.Of[S, U](spec, p.name)
	if err != nil {
		return send.event(wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}})
	}
	if p.Next != nil && !req.Options.Table {
		bound.Next = p.Next(spec)
	}
	if req.Verb == "preserve" {
		return send.event(p.preserve(ctx, spec, req.Options, send))
	}
	stop, err := profile(req.Options.Profile)
	if err != nil {
		return send.event(wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}})
	}
	defer stop()
	switch req.Verb {
	case "check":
		return send.event(check(ctx, bound, req.Options, send))
	case "simulate":
		return send.event(walks(ctx, bound, req.Options, send))
	}
	return fmt.Errorf("unknown verb %q", req.Verb)
}

// profile starts a CPU profile into a file and returns what ends it.
func profile(path string) (stop func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		f.Close()
	}, nil
}

// name is the constant of an enumeration of the specification's package.
func (p *Program[S, U]) name(t reflect.Type, value int64) (string, bool) {
	if t.PkgPath() != reflect.TypeFor[S]().PkgPath() {
		return "", false
	}
	s, ok := p.Enums[t.Name()][value]
	return s, ok
}

// sender writes events from several goroutines.
type sender struct {
	mu sync.Mutex
	to *json.Encoder
}

func (s *sender) event(e wire.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Encode(e)
}

func check[T any](ctx context.Context, spec *checker.Spec[T], o wire.Options, send *sender) wire.Event {
	opt := explore.Options{
		Workers: o.Workers, Stop: o.Stop, Deadlock: o.Deadlock, MaxStates: o.MaxStates, Timeout: o.Timeout, Mem: o.Memory,
		Context: ctx,
	}
	if o.Progress {
		opt.Progress = func(p checker.Progress) {
			send.event(wire.Event{Progress: &wire.Progress{
				Depth: p.Depth, Distinct: p.Distinct, Generated: p.Generated, Queue: p.Queue, Seconds: p.Elapsed.Seconds(), Memory: p.Memory,
			}})
		}
	}
	res, err := explore.Run(spec, opt)
	var fault *explore.SpecError[T]
	switch {
	case errors.As(err, &fault):
		return wire.Event{Error: specError(spec, fault)}
	case err != nil:
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	return wire.Event{Report: report(spec, &res)}
}
