// Package program is the main of an assembled specification: it reads one wire.Request, runs it and
// writes wire.Events. The composer generates the few lines that call Main with the specification's
// types.
package program

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"reflect"
	"runtime/pprof"
	"sync"
	"syscall"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/overdue"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/checker/internal/spent"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// Program describes an assembled specification. The composer fills it.
type Program[S any, U checker.Counters] struct {
	// Compose makes the specification of an encoded grains.Choice.
	Compose func(choice []byte) (*modules.Spec[S], error)
	// Enums are the constants of the specification's integer types: type with import path, value,
	// constant. The types in a copy of the State are types of their own.
	Enums map[string]map[int64]string
	// Next makes the next-state function that calls guards and effects directly. Nil, or the result
	// of it, where only the table can be used.
	Next func(spec *modules.Spec[S]) func(s *checker.Node[S, U], out *checker.Successors[checker.Node[S, U]])
	// Enabled makes the function checker.Spec.EnabledOf that calls guards directly. Nil where only
	// the table can be used.
	Enabled func(spec *modules.Spec[S]) func(s *checker.Node[S, U], action int, out []int32) []int32
	// Probe holds the notes of an instrumented program; nil in others.
	Probe *checker.Probe
	// Branches are those that the program notes: of steps in a covering program for conform, of
	// invariants in one that explores. It may be nil.
	Branches *checker.Branches
	// Changed are the places of the implementation's changed code; nil where it is not noted.
	Changed *checker.Branches
	// Side gives the constants that differ between the sides of a comparison the values of a side:
	// preserve.Fine or preserve.Coarse. Nil where none differs.
	Side func(side int)
	// Mutant chooses one of the mutants that the specification's code has: see
	// wire.Options.Mutant. Nil where it has none.
	Mutant *int

	// questions are the lines after the request, where the request is "explore".
	questions chan []byte

	side wire.Side // of the channel to the command

	hurry time.Duration // replaces the patience with calls that do not return, in tests
}

// Main runs a program that answers some verbs on the process's standard streams and exits: 0 when a
// report or an error was written.
func Main[S any, U checker.Counters](p Program[S, U], verbs ...Verbs[S, U]) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	side, began, err := begin()
	if err == nil {
		p.side = side
		err = run(ctx, p, allOf(verbs), os.Stdin, side.Results, began)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// begin returns the channel to the command, and what says that the program has begun: that the
// user's packages are initialised and the specification is composed.
func begin() (side wire.Side, began func() error, err error) {
	side, err = wire.Results()
	return side, func() error {
		if !side.Commanded {
			return nil
		}
		return json.NewEncoder(side.Results).Encode(wire.Event{Begun: true})
	}, err
}

func run[S any, U checker.Counters](ctx context.Context, p Program[S, U], verbs Verbs[S, U], in io.Reader, out io.Writer, began func() error) error {
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
	p.questions = make(chan []byte)
	go func() { // the command is gone when its end of the pipe closes
		if req.Verb == "explore" {
			read(ctx, lines, p.questions)
		}
		io.Copy(io.Discard, lines)
		cancel()
	}()
	send := &sender{to: json.NewEncoder(out)}
	if n := req.Options.Mutant; n != 0 {
		if p.Mutant == nil {
			return send.event(wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: "the program has no mutants"}})
		}
		*p.Mutant = n
	}
	spec, err := p.Compose(req.Choice)
	if err != nil {
		return send.event(wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}})
	}
	bound, err := checker.Of[S, U](spec, p.name)
	if err != nil {
		return send.event(wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}})
	}
	if err := began(); err != nil {
		return err
	}
	within, end, err := spent.Within(ctx, req.Options.Processor)
	if err != nil {
		return send.event(systemError(err))
	}
	defer end()
	late := overdue.New(&req, p.hurry)
	done := late.Do(within, func() wire.Event { return dispatch(within, verbs, &Asked[S, U]{&p, spec, bound, &req, late, send}) })
	if used, ok := host.Processor(); ok && done.Report != nil {
		done.Report.Processor = used.Seconds()
	}
	return send.event(done)
}

// dispatch answers a request by its verb.
func dispatch[S any, U checker.Counters](ctx context.Context, verbs Verbs[S, U], a *Asked[S, U]) wire.Event {
	p, spec, bound, req := a.p, a.spec, a.bound, a.req
	do, ok := verbs[req.Verb]
	if !ok {
		return systemError(fmt.Errorf("the program does not answer %q", req.Verb))
	}
	if p.Next != nil && !req.Options.Table {
		if next := p.Next(spec); next != nil {
			bound.Next = next
		}
		if p.Enabled != nil {
			bound.EnabledOf = p.Enabled(spec)
		}
	}
	if err := reduce.Slice(bound, req.Options.Sliced); err != nil {
		return systemError(err)
	}
	stop, err := profile(req.Options.Profile)
	if err != nil {
		return systemError(err)
	}
	defer stop()
	return do(ctx, a)
}

func systemError(err error) wire.Event {
	return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
}

// Verbs are the requests that a program answers, by verb. Each function that returns some
// instantiates the packages that these need, and nothing else does: a program that compares no
// compositions does not compile the comparison.
type Verbs[S any, U checker.Counters] map[string]func(ctx context.Context, a *Asked[S, U]) wire.Event

// allOf returns all verbs of a program.
func allOf[S any, U checker.Counters](verbs []Verbs[S, U]) Verbs[S, U] {
	out := Verbs[S, U]{}
	for _, v := range verbs {
		maps.Copy(out, v)
	}
	return out
}

// Asked is a request and what the program has for it.
type Asked[S any, U checker.Counters] struct {
	p     *Program[S, U]
	spec  *modules.Spec[S]
	bound *checker.Spec[checker.Node[S, U]]
	req   *wire.Request
	late  *overdue.Run
	send  *sender
}

// Searcher explores a specification over nodes T: it is Search[T]. A main package names the
// instance, since the compiler instantiates twice what a function with the type parameters S and U
// instantiates for checker.Node[S, U].
type Searcher[T any] func(ctx context.Context, spec *checker.Spec[T], o wire.Options, part *explore.Part, late *overdue.Run, send *sender) wire.Event

// Check returns the verb "check".
func Check[S any, U checker.Counters](search Searcher[checker.Node[S, U]]) Verbs[S, U] {
	return Verbs[S, U]{"check": func(ctx context.Context, a *Asked[S, U]) wire.Event {
		o := a.req.Options
		ctx, end := context.WithCancelCause(ctx)
		defer end(nil)
		var symmetric func() *wire.Symmetric
		var err error
		if ids := o.Symmetry; ids != nil {
			if symmetric, err = symmetry(a.bound, *ids, o.Sliced, func(err error) { end(err) }); err != nil {
				return asymmetry(err)
			}
		}
		var reduced func() *wire.Reduced
		if f := o.POR; f != nil {
			if reduced, err = por(a.spec, a.bound, f, o.Symmetry == nil); err != nil {
				return wire.Event{Error: reductionError(err)}
			}
		}
		if f := o.Footprints; f != nil {
			commuting := o.Symmetry == nil && o.POR == nil
			if err := reduce.Prune(a.spec, a.bound, reduce.Footprints{Actions: f.Actions, Seen: f.Seen}, commuting); err != nil {
				return systemError(err)
			}
		}
		if err := closed(a.bound, o); err != nil {
			return wire.Event{Error: err}
		}
		part, err := partOf(a.p, o.Share)
		if err != nil {
			return systemError(err)
		}
		done := search(ctx, a.bound, o, part, a.late, a.send)
		if wrong, ok := errors.AsType[*reduce.AsymmetryError](context.Cause(ctx)); ok {
			return asymmetry(wrong)
		}
		if done.Report != nil {
			if symmetric != nil {
				done.Report.Symmetry = symmetric()
			}
			if reduced != nil {
				done.Report.POR = reduced()
			}
		}
		return watched(a.p, done)
	}}
}

func asymmetry(err error) wire.Event {
	return wire.Event{Error: &wire.Error{Kind: wire.ErrorSymmetry, Message: err.Error()}}
}

// watched adds the branches of the invariants to a report. A search that a checkpoint continued has
// noted a part of them only, and reports none.
func watched[S any, U checker.Counters](p *Program[S, U], e wire.Event) wire.Event {
	if r := e.Report; r != nil && p.Branches != nil && (r.Checkpoint == nil || r.Checkpoint.Resumed == 0) {
		r.Branches = branchesOf(p.Branches, p.Branches.Missing())
	}
	return e
}

// profile starts a CPU profile into a file and returns what ends it.
func profile(path string) (stop func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	f, err := host.Create(path)
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

// name returns the constant of an enumeration that has a value.
func (p *Program[S, U]) name(t reflect.Type, value int64) (string, bool) {
	s, ok := p.constants(t)[value]
	return s, ok
}

// constants returns the constants of an enumeration by value, nil for any other type.
func (p *Program[S, U]) constants(t reflect.Type) map[int64]string { return p.Enums[enumKey(t)] }

// enumKey returns the name of a type in Enums.
func enumKey(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

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

// Search explores a specification.
func Search[T any](ctx context.Context, spec *checker.Spec[T], o wire.Options, part *explore.Part, late *overdue.Run, send *sender) wire.Event {
	opt := explore.Options{
		Part: part, Workers: o.Workers, Stop: o.Stop, Deadlock: o.Deadlock, MaxStates: o.MaxStates, Timeout: o.Timeout, Mem: o.Memory,
		Context: ctx, Spill: o.Spill, Fingerprint: o.Fingerprint, Nearest: o.Nearest,
	}
	keep(&opt, o.Checkpoint)
	if o.Progress {
		opt.Progress = func(p checker.Progress) {
			send.event(wire.Event{Progress: &wire.Progress{
				Depth: p.Depth, Distinct: p.Distinct, Generated: p.Generated, Queue: p.Queue, Seconds: p.Elapsed.Seconds(), Memory: p.Memory,
			}})
		}
	}
	res, err := explore.Run(spec, opt)
	var fault *checker.SpecError[T]
	var refused *explore.CheckpointError
	switch {
	case errors.As(err, &refused):
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorCheckpoint, Message: err.Error()}}
	case errors.As(err, &fault):
		return wire.Event{Error: specError(spec, fault)}
	case isLost(err):
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorExchange, Message: err.Error()}}
	case err != nil:
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	out := report(spec, &res)
	known := *out
	if len(spec.Liveness) > 0 && known.Verdict == string(checker.Holds) {
		known.Verdict = string(checker.Undecided)
	}
	late.Known(&known)
	if err := live(ctx, spec, o, &res, out); err != nil {
		if wrong, ok := errors.AsType[*wire.Error](err); ok {
			return wire.Event{Error: wrong}
		}
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	return wire.Event{Report: out}
}

// keep takes over what is asked of checkpoints.
func keep(opt *explore.Options, c *wire.Checkpoint) {
	if c == nil {
		return
	}
	opt.Checkpoint, opt.Interval, opt.Resume, opt.Key = c.Folder, c.Interval, c.Resume, c.Key
	for _, f := range c.Identity {
		opt.Identity = append(opt.Identity, explore.Fact{Name: f.Name, Value: f.Value})
	}
}

// checkpointed returns what became of checkpoints; nil where none was asked for.
func checkpointed(c *checker.Checkpoint) *wire.Checkpointed {
	if c == nil {
		return nil
	}
	return &wire.Checkpointed{
		Folder: c.Folder, Resumed: c.Resumed, Written: c.Written, Distinct: c.Distinct, Depth: c.Depth,
		Seconds: c.Took.Seconds(), Failure: c.Failure,
	}
}
