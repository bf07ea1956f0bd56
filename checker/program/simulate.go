package program

import (
	"cmp"
	"context"
	"errors"
	"math"
	"reflect"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/checker/internal/treesize"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// bytesPerNode is the most that simulate takes to remember a distinct node.
const bytesPerNode = 32

// Simulate returns the verb "simulate".
func Simulate[S any, U checker.Counters]() Verbs[S, U] {
	return Verbs[S, U]{"simulate": func(ctx context.Context, a *Asked[S, U]) wire.Event {
		if err := closed(a.bound, a.req.Options); err != nil {
			return wire.Event{Error: err}
		}
		done := walks(ctx, a.spec, a.bound, a.p.name, a.p.Branches, a.req.Options, a.send)
		if s := a.req.Options.Simulate; s != nil && s.Strategy.LearnsBranches() {
			// The branches that were noted are not those of invariants.
			return done
		}
		return watched(a.p, done)
	}}
}

// hashOf returns what learned weights know of a state, by its name. Roles are the variables that
// are enumerations, alone or in arrays: the control state of the nodes, without counters and logs.
func hashOf[S any, U checker.Counters](name string, names modules.Names) (simulate.Hash, []simulate.Span) {
	switch name {
	case "roles":
		var n checker.Node[S, U]
		return simulate.ByBytes, roles(reflect.TypeFor[S](), unsafe.Offsetof(n.State), names)
	case "states":
		return simulate.ByNodes, nil
	}
	return simulate.Hash(name), nil
}

// mostConstants bounds the values of an enumeration that may have a name.
const mostConstants = 64

// roles returns where the variables of a State that are enumerations are in a node.
func roles(state reflect.Type, offset uintptr, names modules.Names) (out []simulate.Span) {
	for f := range state.Fields() {
		of := f.Type
		for of.Kind() == reflect.Array {
			of = of.Elem()
		}
		if k := of.Kind(); k < reflect.Int || k > reflect.Uint64 {
			continue
		}
		for value := range int64(mostConstants) {
			if _, named := names(of, value); named {
				out = append(out, simulate.Span{From: offset + f.Offset, To: offset + f.Offset + f.Type.Size()})
				break
			}
		}
	}
	return out
}

// walks takes random walks.
func walks[S any, U checker.Counters](ctx context.Context, composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], names modules.Names, branches *checker.Branches, o wire.Options, send *sender) wire.Event {
	opt := simulate.Options{
		Timeout: o.Timeout, Seed: o.Seed, Workers: o.Workers, Stop: o.Stop, Deadlock: o.Deadlock, MaxStates: o.MaxStates, Context: ctx,
	}
	if s := o.Simulate; s != nil {
		opt.Depth, opt.Number, opt.Weights, opt.Learned = s.Depth, s.Number, s.Weights, s.Learned
		opt.Hash, opt.Bytes = hashOf[S, U](s.Hash, names)
	}
	if learns := o.Simulate != nil && o.Simulate.Strategy.LearnsBranches(); learns {
		opt.Branches = branches
	}
	if o.Memory > 0 {
		opt.Remember = max(o.Memory/bytesPerNode, 1)
	}
	if o.Progress {
		opt.Progress = func(p simulate.Progress) {
			send.event(wire.Event{Progress: &wire.Progress{
				Walks: p.Walks, Steps: p.Steps, Distinct: p.Distinct, Generated: p.Steps + p.Walks, Seconds: p.Elapsed.Seconds(),
			}})
		}
	}
	by, err := strategyOf(composed, spec, names, o)
	if o.Simulate != nil && opt.Depth > 0 {
		opt.Depth += longest(o.Simulate.From)
	}
	if err != nil {
		if refused, ok := errors.AsType[*wire.Error](err); ok {
			return wire.Event{Error: refused}
		}
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	var res simulate.Result[checker.Node[S, U]]
	if by == nil {
		res, err = simulate.Run(spec, opt)
	} else {
		res, err = simulate.RunWith(spec, opt, by.Strategy)
	}
	var fault *checker.SpecError[checker.Node[S, U]]
	var weights *simulate.WeightError
	switch {
	case errors.As(err, &fault):
		return wire.Event{Error: specError(spec, fault)}
	case errors.As(err, &weights):
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	case err != nil:
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	out := report(spec, &res.Result)
	simulation(spec, &res, out)
	out.Simulation.Seed = o.Seed
	if by != nil {
		describe(by, res.Origins, out)
		if s := out.Simulation.Strategy; s.Name == "rounds" {
			s.Notes = append(s.Notes, roundsNotes(o.Simulate, opt.Depth, out)...)
		}
	}
	if o.Simulate != nil && o.Simulate.Keep > 0 {
		if out.Simulation.Kept, err = keptWalks(spec, o.Seed, o.Simulate); errors.As(err, &fault) {
			return wire.Event{Error: specError(spec, fault)}
		} else if err != nil {
			return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
		}
	}
	if o.Simulate != nil && o.Simulate.Tree {
		tree, err := treesize.Of(spec, treesize.Limits{Walks: int(o.Simulate.Number), Depth: opt.Depth, Seed: o.Seed, Timeout: o.Timeout})
		if errors.As(err, &fault) {
			return wire.Event{Error: specError(spec, fault)}
		} else if err != nil {
			return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
		}
		out.Simulation.Tree = &wire.Tree{Knuth: finite(tree.Knuth), Chen: finite(tree.Chen)}
	}
	return wire.Event{Report: out}
}

// finite returns the number, or the largest that there is: JSON has no infinity.
func finite(x float64) float64 { return min(x, math.MaxFloat64) }

// describe adds what a strategy says of the walks.
func describe[T any](by *strategy[T], origins []simulate.Origin, out *wire.Report) {
	out.Simulation.Strategy = by.about()
	if by.sections == nil {
		return
	}
	for k := range origins {
		out.Violations[k].Origin.Sections = by.sections(&origins[k])
	}
}

// keptWalks takes walks again, with all their states.
func keptWalks[T any](spec *checker.Spec[T], seed uint64, o *wire.Simulate) (kept []*wire.Trace, err error) {
	w, err := simulate.NewWalker(spec, o.Weights)
	if err != nil {
		return nil, err
	}
	for n := range o.Keep {
		t, err := w.Walk(simulate.Source(seed, int64(n+1)), cmp.Or(o.Depth, 100))
		if err != nil {
			return nil, err
		}
		kept = append(kept, trace(spec, &t))
	}
	return kept, nil
}

// simulation adds what is reported of walks only.
func simulation[T any](spec *checker.Spec[T], r *simulate.Result[T], out *wire.Report) {
	out.Levels = []int64{}
	e := r.Ends
	out.Simulation = &wire.Simulation{
		Walks: r.Walks, Steps: r.Steps, Abstractions: r.Abstractions, Full: r.Full, Instances: make([]wire.Fired, len(spec.Actions)),
		Ends: wire.Ends{Depth: e.Depth, Deadlock: e.Deadlock, Finished: e.Finished, Blocked: e.Blocked, Outside: e.Outside, Violated: e.Violated},
	}
	for _, c := range r.Coverage {
		out.Simulation.Coverage = append(out.Simulation.Coverage, wire.Coverage{
			Walks: c.Walks, Steps: c.Steps, Actions: c.Actions, Instances: c.Instances, Distinct: c.Distinct,
			Abstractions: c.Abstractions, Goals: c.Goals, Seconds: c.Elapsed.Seconds(),
		})
	}
	for k, in := range spec.Instances {
		a := &out.Simulation.Instances[in.Action]
		if a.Of++; r.Instances[k] > 0 {
			a.Fired++
		}
	}
	for k, o := range r.Origins {
		out.Violations[k].Origin = &wire.Origin{Walk: o.Walk, Length: o.Length, Minimal: o.Minimal}
	}
}
