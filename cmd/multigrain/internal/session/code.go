package session

import (
	"context"
	"errors"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// Code is a program with a version of the implementation's code.
type Code struct {
	Program string
	Points  []checker.Point // places of the changed code that the program notes
	Fits    compose.Fits
}

// BuildCode builds the composition's program with a version of the implementation's code. What does
// not compile is among the diagnostics.
func (r *Run) BuildCode(impl *configs.Implementation, code compose.Code) (out Code, diags hcl.Diagnostics) {
	program, interrupted, diags := r.Env.Assemble(func(ctx context.Context) (program string, diags hcl.Diagnostics) {
		program, out.Points, out.Fits, diags = r.Composition.AssembleCode(ctx, impl, code)
		return program, diags
	})
	out.Program = program
	if interrupted {
		r.Stopped = InterruptedBuild
	}
	return out, diags
}

// AskCode runs a program with a version of the implementation's code. Choice says whether
// invariants are judged. The report is nil where the run ended without one, and why is set or
// diagnostics are added.
func (r *Run) AskCode(impl *configs.Implementation, program string, req wire.Request, traces Traces) (rep *wire.Report, why string) {
	settings, diags := settingsOf(impl)
	if r.Add(diags...); diags.HasErrors() {
		return nil, ""
	}
	req.Verb = "conform"
	req.Options.Simulate = nil
	req.Options.Conform.Version, req.Options.Conform.Settings = "", settings
	for _, x := range impl.Differences {
		req.Options.Conform.Accepted = append(req.Options.Conform.Accepted, x.Encoded())
	}
	rep, err := r.Env.ask(program, req, nil)
	var fault *wire.Error
	switch {
	case err == nil:
		r.request = req
		return rep, ""
	case errors.As(err, &fault) && (fault.Kind == wire.ErrorAdapter || fault.Kind == wire.ErrorVersion):
		return nil, "the changed code cannot be followed: " + fault.Message
	case errors.As(err, &fault) && fault.Kind == wire.ErrorTrace:
		r.Add(configs.Errorf(codes.Trace, "Not a trace of the composition", hcl.Range{}, "%s", words.Sentence(fault.Message)))
		return nil, ""
	}
	r.Failed(err, traces)
	return nil, r.Stopped
}
