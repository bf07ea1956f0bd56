package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/configs"
)

// explain asks an instrumented program why the properties that an exploration found violated are false: which condition decided,
// and for which servers or values. What cannot be explained is left out, with a warning.
func (o *outcome) explain() {
	for k := range o.report.Violations {
		v := &o.report.Violations[k]
		if v.Kind == "assert" {
			v.Why = o.raised(v)
		}
		if v.Trace == nil || v.Kind != "state" && v.Kind != "step" {
			continue
		}
		why, err := o.reasons(o.env.soft, v)
		if err != nil {
			o.add(configs.Warnf(codes.NoReason, "Violation not explained", hcl.Range{}, "%s: %v.", propertyName(v), err))
			return
		}
		v.Why = why
	}
}

// raised is the effect that raises an assertion, with the parameters of its action: its last branches are in the effect's text.
func (o *outcome) raised(v *wire.Violation) []wire.Reason {
	if v.Trace == nil || len(v.Trace.Steps) == 0 {
		return nil
	}
	last := &v.Trace.Steps[len(v.Trace.Steps)-1]
	for _, a := range o.comp.Catalog.Actions {
		if a.Name != last.Action {
			continue
		}
		r := wire.Reason{Func: a.Name + ".Effect", File: a.Effect.Place.File, Line: a.Effect.Place.Line, Column: a.Effect.Place.Column,
			Text: fmt.Sprintf("the effect of %s%s raises %s", a.Name, paramsText(last.Params), propertyName(v)), Kind: result.ReasonRaised}
		return []wire.Reason{r}
	}
	return nil
}

// reasons are those of one violation.
func (o *outcome) reasons(ctx context.Context, v *wire.Violation) ([]wire.Reason, error) {
	program, diags := o.comp.AssembleExplaining(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	r, err := wire.Run(ctx, program, wire.Request{Verb: "explain", Choice: o.comp.EncodedChoice(),
		Options: wire.Options{Explain: &wire.Explain{Trace: v.Trace, Invariant: propertyName(v)}}}, nil)
	if err != nil {
		return nil, err
	}
	return r.Explanation.Why, nil
}
