package session

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/configs"
)

// explain asks an instrumented program why the properties that an exploration found violated are
// false: which condition decided, and for which servers or values. What cannot be explained is
// left out, with a warning.
func (r *Run) explain() {
	for k := range r.Report.Violations {
		v := &r.Report.Violations[k]
		if v.Kind == "assert" {
			v.Why = r.raised(v)
		}
		if v.Trace == nil || v.Kind != "state" && v.Kind != "step" {
			continue
		}
		why, err := r.reasons(r.Env.Soft, v)
		if err != nil {
			r.Add(configs.Warnf(codes.NoReason, "Violation not explained", hcl.Range{}, "%s: %v.", propertyName(v), err))
			return
		}
		v.Why = why
	}
}

// raised returns the effect that raises an assertion, with the parameters of its action: its last
// branches are in the effect's text.
func (r *Run) raised(v *wire.Violation) []wire.Reason {
	if v.Trace == nil || len(v.Trace.Steps) == 0 {
		return nil
	}
	last := &v.Trace.Steps[len(v.Trace.Steps)-1]
	for _, a := range r.Composition.Catalog.Actions {
		if a.Name != last.Action {
			continue
		}
		rep := wire.Reason{Func: a.Name + ".Effect", File: a.Effect.Place.File, Line: a.Effect.Place.Line, Column: a.Effect.Place.Column,
			Text: fmt.Sprintf("the effect of %s%s raises %s", a.Name, narrate.ParamsText(last.Params), propertyName(v)), Kind: result.ReasonRaised}
		return []wire.Reason{rep}
	}
	return nil
}

// reasons returns those of one violation.
func (r *Run) reasons(ctx context.Context, v *wire.Violation) ([]wire.Reason, error) {
	program, diags := r.Composition.AssembleExplaining(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	rep, err := wire.Run(ctx, program, wire.Request{Verb: "explain", Choice: r.Composition.EncodedChoice(),
		Options: wire.Options{Explain: &wire.Explain{Trace: v.Trace, Invariant: propertyName(v)}}}, nil)
	if err != nil {
		return nil, err
	}
	return rep.Explanation.Why, nil
}
