package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/conform/drivers"
	"github.com/multigrain/multigrain/checker/internal/cover"
	"github.com/multigrain/multigrain/checker/internal/overdue"
	"github.com/multigrain/multigrain/checker/internal/pair"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// MainWith is Main of a program that an implementation is built into: it answers "conform".
func MainWith[S any, U checker.Counters](p Program[S, U], impl conform.Implementation[S]) {
	Main(p, conforming(p, func(*wire.Request) conform.Implementation[S] { return impl }))
}

// MainDriven is MainWith of a program whose implementation runs in processes of a driver: those
// that a request names.
func MainDriven[S any, U checker.Counters](p Program[S, U]) {
	Main(p, conforming(p, func(req *wire.Request) conform.Implementation[S] {
		c := req.Options.Conform
		if c == nil || c.Driver == nil {
			return drivenBy(p, wire.Driver{})
		}
		if c.Second == nil {
			return drivenBy(p, *c.Driver)
		}
		second := pair.Second[S]{Implementation: drivenBy(p, c.Second.Driver), Version: c.Second.Version, Settings: c.Second.Settings}
		return pair.Of(drivenBy(p, *c.Driver), second, p.name)
	}))
}

func drivenBy[S any, U checker.Counters](p Program[S, U], d wire.Driver) conform.Implementation[S] {
	return drivers.Implementation[S](d.Name, drivers.Command{Args: d.Command, Dir: d.Dir, Env: d.Env, Transcript: d.Transcript, Remedy: d.Remedy, Names: d.Names}, p.name, p.enum)
}

// conforming returns the verb "conform" of a program with an implementation.
func conforming[S any, U checker.Counters](p Program[S, U], implementation func(*wire.Request) conform.Implementation[S]) Verbs[S, U] {
	names, branches, changed := p.name, p.Branches, p.Changed
	var started []uint32
	if changed != nil {
		started = slices.Clone(changed.Taken)
	}
	return Verbs[S, U]{"conform": func(ctx context.Context, a *Asked[S, U]) wire.Event {
		impl := implementation(a.req)
		x := conformer[S, U]{conform.Composition[S, U]{Spec: a.spec, Bound: a.bound, Names: names}, impl, branches, changed, started}
		x.impl.Open = patiently(impl.Open, a.late)
		return x.answer(ctx, a.req, a.send)
	}}
}

// patiently opens adapters, and gives them as much time as they ask for.
func patiently[S any](open func(conform.Setup) (conform.Adapter[S], error), late *overdue.Run) func(conform.Setup) (conform.Adapter[S], error) {
	return func(s conform.Setup) (conform.Adapter[S], error) {
		a, err := open(s)
		if x, ok := a.(conform.Patient); ok && err == nil {
			late.Patient(conform.Hangs * x.Patience())
		}
		return a, err
	}
}

// conformer answers "conform".
type conformer[S any, U checker.Counters] struct {
	c        conform.Composition[S, U]
	impl     conform.Implementation[S]
	branches *checker.Branches
	changed  *checker.Branches
	started  []uint32 // what ran of it when the program began
}

func (x *conformer[S, U]) answer(ctx context.Context, req *wire.Request, send *sender) wire.Event {
	o := req.Options
	asked := o.Conform
	if asked == nil {
		asked = &wire.Conform{}
	}
	opt := conform.Options{
		Depth: asked.Depth, Number: asked.Number, Timeout: o.Timeout, Most: asked.Most, Seed: o.Seed, Weights: asked.Weights, Workers: o.Workers, Stop: o.Stop,
		Cover: cover.Kind(asked.Cover), MaxStates: int(o.MaxStates), Context: ctx, Journal: asked.Journal, Held: asked.Held, Branches: x.branches, Setup: conform.Setup{Settings: asked.Settings, Version: asked.Version, Code: codeOf(asked.Code), Keep: asked.Keep},
	}
	for _, a := range x.c.Bound.Actions {
		if !slices.Contains(opt.Setup.Actions, a.Name) {
			opt.Setup.Actions = append(opt.Setup.Actions, a.Name)
		}
	}
	if o.Progress {
		opt.Progress = func(p conform.Progress) {
			send.event(wire.Event{Progress: &wire.Progress{Walks: p.Traces, Steps: p.Steps, Generated: p.Steps + p.Traces, Seconds: p.Elapsed.Seconds()}})
		}
	}
	if o.Progress {
		opt.Noticed = func(walk int64, what string) {
			send.event(wire.Event{Noted: fmt.Sprintf("walk %d, %s", walk, what)})
		}
	}
	if asked.Follows != nil {
		return x.follows(asked, opt.Setup)
	}
	if asked.Build != nil {
		return x.build(ctx, asked.Build, opt.Setup)
	}
	if asked.Sides != nil {
		return x.effects(ctx, asked.Sides, opt.Setup)
	}
	if asked.Ended != nil {
		return x.ended(ctx, req, opt)
	}
	if asked.Confirm != nil && asked.Replay != nil {
		return x.confirm(asked, opt)
	}
	var res conform.Result[checker.Node[S, U]]
	var err error
	for _, raw := range asked.Accepted {
		var a conform.Acceptance
		if err := json.Unmarshal(raw, &a); err != nil {
			return wire.Event{Error: x.failure(err)}
		}
		opt.Accepted = append(opt.Accepted, a)
	}
	if w := asked.Again; w != nil {
		opt.Again = &conform.Walk{Init: w.Init, Instances: w.Instances}
		res, err = conform.Replay(x.c, x.impl, nil, opt)
	} else if asked.Replay != nil && asked.Follow != nil {
		return x.retrace(asked, o, opt)
	} else if asked.Replay != nil {
		var steps []int
		if steps, err = instances(x.c.Bound, asked.Replay, asked.States); err == nil {
			res, err = conform.Replay(x.c, x.impl, steps, opt)
		}
	} else {
		return x.walks(asked, o, opt)
	}
	if err != nil {
		return wire.Event{Error: x.failure(err)}
	}
	return wire.Event{Report: x.report(&res, o.Seed)}
}

// walks takes walks, drawn by the strategy that is asked for.
func (x *conformer[S, U]) walks(asked *wire.Conform, o wire.Options, opt conform.Options) wire.Event {
	o.Simulate = &wire.Simulate{Depth: asked.Depth, Weights: asked.Weights, Strategy: asked.Strategy, From: asked.From}
	by, err := strategyOf(x.c.Spec, x.c.Bound, x.c.Names, o)
	if refused, ok := errors.AsType[*wire.Error](err); ok {
		return wire.Event{Error: refused}
	}
	if err != nil {
		return wire.Event{Error: x.failure(err)}
	}
	if opt.Depth > 0 {
		opt.Depth += longest(asked.From)
	}
	followed := x.follow(asked.Follow, o.Footprints, &opt)
	if followed != nil {
		if opt.Follow.Begin, err = beginning(x.c.Bound, asked.Follow.Begin); err != nil {
			return wire.Event{Error: x.failure(err)}
		}
	}
	var res conform.Result[checker.Node[S, U]]
	if by == nil {
		res, err = conform.Run(x.c, x.impl, opt)
	} else {
		res, err = conform.RunWith(x.c, x.impl, opt, by.Strategy)
	}
	if err != nil {
		return wire.Event{Error: x.failure(err)}
	}
	report := x.report(&res, o.Seed)
	if by != nil {
		report.Conformance.Strategy = by.about()
	}
	if followed != nil {
		x.followed(followed, &res, &opt)
		report.Conformance.Followed = followed
	}
	return wire.Event{Report: report}
}

// failure says why nothing could be found out.
func (x *conformer[S, U]) failure(err error) *wire.Error {
	var fault *checker.SpecError[checker.Node[S, U]]
	var weights *simulate.WeightError
	var version *conform.VersionError
	var trace *traceError
	var stuck *conform.StuckError
	var drives *drivers.Fault
	kind := wire.ErrorAdapter
	switch {
	case errors.As(err, &drives):
		if kind = wire.ErrorDriver; drives.Start {
			kind = wire.ErrorStart
		}
	case errors.As(err, new(*conform.UnstableError)):
		kind = wire.ErrorUnstable
	case errors.As(err, &fault):
		return specError(x.c.Bound, fault)
	case errors.As(err, &weights):
		kind = wire.ErrorSpec
	case errors.As(err, &version):
		kind = wire.ErrorVersion
	case errors.As(err, &trace):
		kind = wire.ErrorTrace
	}
	return &wire.Error{Kind: kind, Message: err.Error(), Stuck: errors.As(err, &stuck) && stuck.Ending}
}

// traceError says why a trace is no behaviour of the composition.
type traceError struct{ message string }

func (e *traceError) Error() string { return e.message }

func noTrace(format string, args ...any) error { return &traceError{fmt.Sprintf(format, args...)} }

// instances finds the steps of a trace and does them on the specification.
func instances[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], t *wire.Trace, states bool) (steps []int, err error) {
	var n checker.Node[S, U]
	spec.Init(func(init *checker.Node[S, U]) bool {
		n = *init
		return states && !sameView(spec.Describe(init), t.Init)
	})
	if states && !sameView(spec.Describe(&n), t.Init) {
		return nil, noTrace("the trace does not begin in an initial state of the composition: the specification, its options or its bounds have changed since; make the trace again with multigrain check")
	}
	for k := range t.Steps {
		step := &t.Steps[k]
		at := instanceOf(spec, step)
		if at < 0 {
			return nil, noTrace("step %d, %s%s, is no action of the composition", k+1, step.Action, conform.ParamsText(step.Params))
		}
		if !spec.Enabled(&n, at) {
			return nil, noTrace("step %d, %s%s, is not enabled", k+1, step.Action, conform.ParamsText(step.Params))
		}
		before := n
		spec.Apply(&before, &n, at)
		if states && !sameView(spec.Describe(&n), step.State) {
			return nil, noTrace("step %d, %s%s, leads to another state than the trace says", k+1, step.Action, conform.ParamsText(step.Params))
		}
		steps = append(steps, at)
	}
	return steps, nil
}

// instanceOf returns the number of a step; -1 where the composition does not have it.
func instanceOf[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], step *wire.Step) int {
	return slices.IndexFunc(spec.Instances, func(in checker.Instance) bool {
		a := spec.Actions[in.Action]
		return a.Name == step.Action && (step.Module == "" || a.Module == step.Module) && sameView(in.Params, step.Params)
	})
}

// sameView reports whether two values read alike. What a file cannot tell apart does not count:
// arrays and maps, lists and sets.
func sameView(a, b modules.View) bool {
	if a.Text != b.Text || len(a.Elems) != len(b.Elems) {
		return false
	}
	return slices.EqualFunc(a.Elems, b.Elems, sameView)
}

// report returns what a run found, as the command reads it.
func (x *conformer[S, U]) report(r *conform.Result[checker.Node[S, U]], seed uint64) *wire.Report {
	spec := x.c.Bound
	c := &wire.Conformance{
		Version: r.Version, Seed: seed, Traces: r.Traces, Steps: r.Steps, Longest: r.Longest, Short: r.Short, Half: r.Half, Refused: r.Refused, Exceeded: r.Exceeded,
		Instances: make([]wire.Fired, len(spec.Actions)), Observed: r.Observed, Unobserved: r.Unobserved, Count: r.Differences, Found: []wire.Discrepancy{},
		Coverage: []wire.Conformed{}, Undriven: r.Undriven, UndrivenAt: r.UndrivenAt, UndrivenNext: r.UndrivenNext, Repeated: r.Repeated, Ended: r.Ended, Held: r.Held, Waited: r.Waited.Seconds(),
	}
	if v := r.Covered; v != nil {
		c.Covered = &wire.Covered{Kind: string(v.Kind), States: v.States, Edges: v.Edges, Targets: v.Targets, Beyond: v.Beyond, Walks: v.Walks, Least: v.Least, Steps: v.Steps, Done: v.Done}
	}
	for _, a := range r.Accepted {
		c.Accepted = append(c.Accepted, wire.Accepted(a))
	}
	for _, l := range r.LeftOut {
		c.LeftOut = append(c.LeftOut, wire.LeftOut(l))
	}
	for k, in := range spec.Instances {
		c.Instances[in.Action].Of++
		if r.Instances[k] > 0 {
			c.Instances[in.Action].Fired++
		}
	}
	for _, p := range r.Coverage {
		c.Coverage = append(c.Coverage, wire.Conformed{Traces: p.Traces, Steps: p.Steps, Actions: p.Actions, Instances: p.Instances, Branches: p.Branches, Seconds: p.Elapsed.Seconds()})
	}
	if x.branches != nil {
		c.Branches = branchesOf(x.branches, r.Missing)
	}
	for k := range r.Found {
		c.Found = append(c.Found, x.discrepancy(&r.Found[k]))
	}
	out := &wire.Report{
		Verdict: string(r.Verdict), Reason: r.Reason, Seconds: r.Duration.Seconds(), Workers: r.Workers, Levels: []int64{}, Actions: []wire.Action{},
		Violations: []wire.Violation{}, Invariants: []string{}, Conformance: c,
	}
	for k, a := range spec.Actions {
		out.Actions = append(out.Actions, wire.Action{Name: a.Name, Module: a.Module, Environment: a.Environment, Spent: a.Spent, Fired: r.Fired[k]})
	}
	return out
}

// branchesOf counts branches, with those that were not taken.
func branchesOf(b *checker.Branches, missing []checker.Branch) *wire.Branches {
	out := &wire.Branches{Taken: b.Of() - len(missing), Of: b.Of(), Missing: []wire.Untaken{}}
	for _, m := range missing {
		out.Missing = append(out.Missing, wire.Untaken{
			Function: m.Func, File: m.File, Line: m.Line, Column: m.Column, Condition: m.Text, Value: m.Value, Evaluated: m.Evaluated})
	}
	return out
}

func (x *conformer[S, U]) discrepancy(d *conform.Difference[checker.Node[S, U]]) wire.Discrepancy {
	out := wire.Discrepancy{
		Kind: string(d.Kind), Message: d.Message, Frames: d.Frames, Walk: d.Walk, Length: d.Length, Minimal: d.Minimal, Count: d.Count,
		Trace: trace(x.c.Bound, &d.Trace), Log: d.Log, Explained: d.Explained,
	}
	for _, v := range d.Values {
		out.Values = append(out.Values, wire.Differing(v))
	}
	return out
}

// follow adds to the options that walks continue after a difference, and returns which invariants
// are judged there. They read only variables which the adapter observes, unless Follow.Unobserved
// asks for all. Nil: nothing is asked.
func (x *conformer[S, U]) follow(asked *wire.Follow, f *wire.Footprints, opt *conform.Options) *wire.Followed {
	if asked == nil {
		return nil
	}
	out := &wire.Followed{Violations: []wire.Broken{}, Unjudged: []wire.Unjudged{}, Judged: []string{}, Ran: []wire.RanPlace{}}
	opt.Follow = &conform.Follow{Changed: x.changed, Least: asked.Least, Share: asked.Share, First: asked.First, Ahead: asked.Ahead, Always: asked.Always, Rehearse: asked.Rehearse}
	for _, d := range asked.Shared {
		opt.Follow.Shared = append(opt.Follow.Shared, conform.Departure(d))
	}
	opt.Follow.Judges = func(observed, borrowed []string) (mask uint64) {
		for k, p := range x.c.Bound.Invariants {
			if v := unobserved(p, f, observed, borrowed); v != "" {
				out.Unjudged = append(out.Unjudged, wire.Unjudged{Invariant: p.Name(), Variable: v})
				if !asked.Unobserved {
					continue
				}
			}
			mask |= 1 << k
			out.Judged = append(out.Judged, p.Name())
		}
		return mask
	}
	opt.Follow.Started = x.started
	return out
}

// unobserved returns a variable that a property reads and that the adapter does not observe, or
// borrows; "" where it observes all.
func unobserved(p checker.Property, f *wire.Footprints, observed, borrowed []string) string {
	if f == nil {
		return "?"
	}
	for _, seen := range f.Seen {
		if seen.Name != p.ID && seen.Name != p.Name() {
			continue
		}
		for _, a := range seen.Reads() {
			if !slices.Contains(observed, fieldOf(a.Variable)) || slices.ContainsFunc(borrowed, func(part string) bool { return overlaps(part, a.Variable) }) {
				return a.Variable
			}
		}
		return ""
	}
	return "?"
}

// overlaps reports whether one of two paths of fields is a part of the other.
func overlaps(a, b string) bool {
	return strings.HasPrefix(a+".", b+".") || strings.HasPrefix(b+".", a+".")
}

// fieldOf returns the field of the State that a variable is, or is a part of.
func fieldOf(variable string) string {
	if k := strings.IndexAny(variable, ".#"); k >= 0 {
		return variable[:k]
	}
	return variable
}

// followed fills in what the walks showed.
func (x *conformer[S, U]) followed(out *wire.Followed, res *conform.Result[checker.Node[S, U]], opt *conform.Options) {
	out.Departed = res.Departed
	for k := range res.Violations {
		v := &res.Violations[k]
		p := checker.Property{ID: string(conform.Panic), Kind: string(conform.Panic), Doc: v.Message}
		if v.Invariant >= 0 {
			p = x.c.Bound.Invariants[v.Invariant]
		}
		var values []wire.Differing
		for _, d := range v.Values {
			values = append(values, wire.Differing(d))
		}
		out.Violations = append(out.Violations, wire.Broken{
			Values:    values,
			Invariant: p.Name(), Kind: p.Kind, Doc: p.Doc, Trace: trace(x.c.Bound, &v.Trace), Departed: v.Departed, Walk: v.Walk, Length: v.Length,
			Minimal: v.Minimal, Count: v.Count, Log: v.Log, Frames: v.Frames, Beside: v.Beside,
		})
	}
	if c := opt.Follow.Changed; c != nil {
		for k := range c.Points {
			out.Ran = append(out.Ran, wire.RanPlace{False: c.Taken[2*k] != 0, True: c.Taken[2*k+1] != 0})
		}
		if opt.Setup.Code != nil {
			out.Places = placed(c.Points)
			for k := range opt.Follow.Equal[:len(opt.Follow.Equal)/2] {
				out.Equal = append(out.Equal, wire.RanPlace{False: opt.Follow.Equal[2*k] != 0, True: opt.Follow.Equal[2*k+1] != 0})
			}
		}
	}
}

// retrace does a trace that departs from the specification, with the implementation as the model.
func (x *conformer[S, U]) retrace(asked *wire.Conform, o wire.Options, opt conform.Options) wire.Event {
	steps, err := located(x.c.Bound, asked.Replay)
	if err != nil {
		return wire.Event{Error: x.failure(err)}
	}
	followed := x.follow(asked.Follow, o.Footprints, &opt)
	res, err := conform.Replay(x.c, x.impl, steps, opt)
	if err != nil {
		return wire.Event{Error: x.failure(err)}
	}
	report := x.report(&res, o.Seed)
	x.followed(followed, &res, &opt)
	report.Conformance.Followed = followed
	return wire.Event{Report: report}
}

// follows asks the adapter which compositions it can follow, by opening one for each.
func (x *conformer[S, U]) follows(asked *wire.Conform, setup conform.Setup) wire.Event {
	c := &wire.Conformance{Instances: []wire.Fired{}, Coverage: []wire.Conformed{}, Observed: []string{}, Found: []wire.Discrepancy{}, NotFollowed: []string{}}
	for _, actions := range asked.Follows {
		setup.Actions = actions
		why := ""
		if adapter, err := x.impl.Open(setup); err != nil {
			why = err.Error()
		} else if err := adapter.Stop(); err != nil {
			why = err.Error()
		}
		c.NotFollowed = append(c.NotFollowed, why)
	}
	return wire.Event{Report: &wire.Report{
		Verdict: string(checker.Undecided), Levels: []int64{}, Actions: []wire.Action{}, Violations: []wire.Violation{}, Invariants: []string{}, Conformance: c,
	}}
}
