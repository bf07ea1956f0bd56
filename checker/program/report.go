package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/liveness"
	"github.com/multigrain/multigrain/checker/wire"
)

func report[T any](spec *checker.Spec[T], r *checker.Result[T]) *wire.Report {
	var node T
	out := &wire.Report{
		Verdict: string(r.Verdict), Reason: r.Reason, Distinct: r.Distinct, Generated: r.Generated, Pruned: r.Pruned, Depth: r.Depth,
		Levels: r.Levels, Seconds: r.Duration.Seconds(), Workers: r.Workers, Digest: fmt.Sprintf("%016x", r.Digest),
		Collision: collision(r.Distinct, r.Fingerprint), Fingerprint: r.Fingerprint, Memory: r.Memory, MemoryEnd: r.MemoryEnd, Disk: r.Disk, Checkpoint: checkpointed(r.Checkpoint), NodeBytes: int(unsafe.Sizeof(node)), Masked: r.Masked,
		Actions: []wire.Action{}, Violations: []wire.Violation{}, Invariants: []string{},
	}
	if r.Nearest > 0 {
		out.Observed = 1 / float64(r.Nearest)
	}
	for _, v := range spec.Invariants {
		out.Invariants = append(out.Invariants, v.Name())
	}
	for k, a := range spec.Actions {
		c := r.Actions[k]
		out.Actions = append(out.Actions, wire.Action{
			Name: a.Name, Module: a.Module, Environment: a.Environment, Spent: a.Spent,
			Enabled: c.Enabled, Fired: c.Fired, Distinct: c.Distinct,
		})
	}
	for k, g := range spec.Goals {
		if r.Goals>>k&1 == 0 {
			out.GoalsMissed = append(out.GoalsMissed, g.Name())
		}
	}
	for k, n := range r.MaskedBy {
		if p := spec.Masked[k]; n > 0 {
			out.MaskedBy = append(out.MaskedBy, wire.Masked{Invariant: p.Name(), Count: n, Doc: p.Doc})
		}
	}
	for k := range r.Violations {
		out.Violations = append(out.Violations, violation(spec, &r.Violations[k]))
	}
	return out
}

// collision returns the probability that a node was missed because another one had the same
// fingerprint of so many bits: that of n random numbers, 1 - exp(-n(n-1)/2^(bits+1)). 0 is 64 bits.
func collision(n int64, bits int) float64 {
	return -math.Expm1(-math.Ldexp(float64(n)*float64(n-1), -cmp.Or(bits, 64)-1))
}

func violation[T any](spec *checker.Spec[T], v *checker.Violation[T]) wire.Violation {
	out := wire.Violation{Kind: v.Kind, Depth: v.Depth, At: v.At, Count: v.Count, Trace: trace(spec, &v.Trace)}
	if v.Invariant >= 0 {
		p := spec.Invariants[v.Invariant]
		out.Invariant, out.Instance, out.Doc = p.ID, p.Instance, p.Doc
	}
	return out
}

func trace[T any](spec *checker.Spec[T], t *checker.Trace[T]) *wire.Trace {
	out := &wire.Trace{Nodes: spec.Nodes, Init: spec.Describe(&t.Init), Steps: []wire.Step{}}
	for k := range t.Steps {
		s := &t.Steps[k]
		in := spec.Instances[s.Instance]
		a := spec.Actions[in.Action]
		out.Steps = append(out.Steps, wire.Step{
			Action: a.Name, Module: a.Module, Server: in.Server, Touched: in.Touched, Environment: a.Environment, Params: in.Params,
			State: spec.Describe(&s.Node),
		})
	}
	return out
}

// codeOf returns the code that takes the place of the implementation's own; nil for that.
func codeOf(c *wire.Code) *conform.Code {
	if c == nil {
		return nil
	}
	out := &conform.Code{Path: c.Path}
	for _, l := range c.Lines {
		out.Lines = append(out.Lines, conform.CodeLine(l))
	}
	return out
}

// build makes code of sources.
func (x *conformer[S, U]) build(ctx context.Context, asked *wire.Build, setup conform.Setup) wire.Event {
	out := &wire.Built{}
	path, err := x.impl.Compile(ctx, setup, conform.Sources{Dir: asked.Dir, Files: asked.Files, To: asked.To, Original: asked.Original})
	refused, compiled := errors.AsType[*conform.BuildError](err)
	switch {
	case err == nil:
		out.Path = path
	case compiled:
		for _, m := range refused.Messages {
			out.Errors = append(out.Errors, wire.BuildMessage(m))
		}
	default:
		out.Lacks = err.Error()
	}
	return unwalked(&wire.Conformance{Built: out})
}

// placed returns the places that an adapter notes of Code.
func placed(points []checker.Point) (out []wire.NotedPlace) {
	for _, p := range points {
		out = append(out, wire.NotedPlace{Func: p.Func, File: p.File, Line: p.Line, Column: p.Column, Text: p.Text, Kind: p.Kind})
	}
	return out
}

// effects asks the implementation what changed lines write.
func (x *conformer[S, U]) effects(ctx context.Context, asked *wire.Sides, setup conform.Setup) wire.Event {
	s := conform.Sides{Before: asked.Before, After: asked.After, Compared: asked.Compared, Inert: asked.Inert}
	for _, l := range asked.Lines {
		s.Lines = append(s.Lines, conform.SideLine(l))
	}
	out := &wire.Written{Writes: []wire.LineWrite{}, Same: []wire.SideLine{}}
	found, err := x.impl.Effects(ctx, setup, s)
	if err != nil {
		out.Lacks = err.Error()
	} else {
		out.Inert, out.Rests = found.Inert, found.Rests
		for _, w := range found.Writes {
			out.Writes = append(out.Writes, wire.LineWrite{SideLine: wire.SideLine(w.SideLine), Function: w.Function, Place: w.Place, Changes: w.Changes, Observed: w.Observed})
		}
		for _, l := range found.Same {
			out.Same = append(out.Same, wire.SideLine(l))
		}
	}
	return unwalked(&wire.Conformance{Written: out})
}

// unwalked is the answer to a request for no walks.
func unwalked(c *wire.Conformance) wire.Event {
	c.Instances, c.Coverage, c.Observed, c.Found = []wire.Fired{}, []wire.Conformed{}, []string{}, []wire.Discrepancy{}
	return wire.Event{Report: &wire.Report{Verdict: string(checker.Undecided), Levels: []int64{}, Actions: []wire.Action{}, Violations: []wire.Violation{},
		Invariants: []string{}, Conformance: c}}
}

// live checks the liveness properties, if there are any, once all states were explored, and puts
// what it found into the report. It has the time that the exploration left, and all of the memory,
// which that has given back.
func live[T any](ctx context.Context, spec *checker.Spec[T], o wire.Options, res *checker.Result[T], out *wire.Report) error {
	complete := res.Verdict == checker.Holds || res.Verdict == checker.Violated && o.Stop == 0 && res.Reason == ""
	if len(spec.Liveness) == 0 || !complete {
		return nil
	}
	if o.Timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, max(o.Timeout-res.Duration, 0))
		defer cancel()
		ctx = limited
	}
	start := host.Now()
	l, err := judged(ctx, spec, o.Memory)
	if err != nil {
		return err
	}
	out.Liveness = &wire.Liveness{Properties: []string{}, Edges: l.Edges, Memory: l.Memory, Seconds: host.Since(start).Seconds()}
	for _, p := range spec.Liveness {
		out.Liveness.Properties = append(out.Liveness.Properties, p.Name())
	}
	for _, p := range l.Premises {
		out.Liveness.Premises = append(out.Liveness.Premises, wire.Premise(p))
	}
	if l.Reason != "" {
		if context.Cause(ctx) == context.DeadlineExceeded {
			l.Reason = fmt.Sprintf("the time limit of %s is reached while liveness is checked", o.Timeout)
		}
		if out.Reason = l.Reason; out.Verdict == string(checker.Holds) {
			out.Verdict = string(checker.Undecided)
		}
	}
	for k := range l.Violations {
		v := &l.Violations[k]
		p := spec.Liveness[v.Property]
		t := trace(spec, &v.Trace)
		t.Loop = &v.Loop
		out.Verdict = string(checker.Violated)
		out.Violations = append(out.Violations, wire.Violation{
			Invariant: p.ID, Instance: p.Instance, Doc: p.Doc, Kind: p.Kind, Depth: len(v.Trace.Steps), At: res.Distinct, Count: 1, Trace: t,
		})
	}
	return nil
}

// judged is liveness.Run. The exploration has called everything but the properties in every state,
// so a panic is theirs.
func judged[T any](ctx context.Context, spec *checker.Spec[T], memory int64) (l liveness.Result[T], err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &wire.Error{Kind: wire.ErrorSpec, Message: fmt.Sprintf("a liveness property failed: %v", v)}
		}
	}()
	return liveness.Run(spec, liveness.Options{Mem: memory, Context: ctx})
}
