package program

import (
	"context"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/wire"
)

// effects asks the implementation what changed lines write.
func (x *conformer[S, U]) effects(ctx context.Context, asked *wire.Sides, setup conform.Setup) wire.Event {
	s := conform.Sides{Before: asked.Before, After: asked.After, Compared: asked.Compared}
	for _, l := range asked.Lines {
		s.Lines = append(s.Lines, conform.SideLine(l))
	}
	out := &wire.Written{Writes: []wire.LineWrite{}, Same: []wire.SideLine{}}
	found, err := x.impl.Effects(ctx, setup, s)
	if err != nil {
		out.Lacks = err.Error()
	} else {
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
