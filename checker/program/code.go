package program

import (
	"context"
	"errors"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/wire"
)

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
	return wire.Event{Report: &wire.Report{Verdict: string(checker.Undecided), Levels: []int64{}, Actions: []wire.Action{}, Violations: []wire.Violation{},
		Invariants: []string{}, Conformance: &wire.Conformance{Built: out, Instances: []wire.Fired{}, Coverage: []wire.Conformed{}, Observed: []string{}, Found: []wire.Discrepancy{}}}}
}

// placed returns the places that an adapter notes of Code.
func placed(points []checker.Point) (out []wire.NotedPlace) {
	for _, p := range points {
		out = append(out, wire.NotedPlace{Func: p.Func, File: p.File, Line: p.Line, Column: p.Column, Text: p.Text, Kind: p.Kind})
	}
	return out
}

// located finds the steps of a trace, in whatever states they are done.
func located[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], t *wire.Trace) (steps []int, err error) {
	for k := range t.Steps {
		at := instanceOf(spec, &t.Steps[k])
		if at < 0 {
			return nil, noTrace("step %d, %s%s, is no action of the composition", k+1, t.Steps[k].Action, conform.ParamsText(t.Steps[k].Params))
		}
		steps = append(steps, at)
	}
	return steps, nil
}

// beginning returns the instances with which walks begin; nil for none.
func beginning[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], t *wire.Trace) (out []int32, err error) {
	if t == nil {
		return nil, nil
	}
	steps, err := located(spec, t)
	for _, k := range steps {
		out = append(out, int32(k))
	}
	return out, err
}
