package session

import (
	"context"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/configs"
)

// Follows asks the adapter of an implementation which compositions it can follow. Each is given by
// the names of its actions; options and bounds are those of r. The answer for each is why the
// adapter cannot follow it, "" where it can. The answers are nil if the program cannot be built or
// does not answer; diagnostics are not added then, since the walks will show the reason.
func (r *Run) Follows(impl *configs.Implementation, compositions [][]string) []string {
	settings, diags := settingsOf(impl)
	if diags.HasErrors() {
		return nil
	}
	program, interrupted, diags := r.Env.Assemble(func(ctx context.Context) (string, hcl.Diagnostics) {
		return r.Composition.AssembleWith(ctx, impl)
	})
	if interrupted || diags.HasErrors() {
		return nil
	}
	req := r.Exploration(Limits{}, false)
	req.Verb = "conform"
	req.Options.Conform = &wire.Conform{Version: impl.Version.Value, Settings: settings, Follows: compositions}
	rep, err := r.Env.ask(program, req, nil)
	if err != nil || rep.Conformance == nil || len(rep.Conformance.NotFollowed) != len(compositions) {
		return nil
	}
	return rep.Conformance.NotFollowed
}

// TraceOf returns the path of the trace of a violation, by its number from 0; "" for none.
func (r *Run) TraceOf(violation int) string {
	if violation < len(r.traces) {
		return r.traces[violation]
	}
	return ""
}
