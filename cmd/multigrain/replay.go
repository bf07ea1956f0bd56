package main

import (
	"flag"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/changes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/configs"
)

var replayVerb = command.Verb{
	Name: "replay", Args: "TRACE", Summary: "do one trace on an implementation and compare the states", Least: 1, Most: 1,
	About: `The trace is a file in ITF JSON, as check, simulate and conform write it. Its steps are done on the implementation of the
manifest that it comes from, with the values that the manifest's variables had. After each step the states are compared as
conform does. With -manifest the steps are done on another manifest's composition: then only actions and parameters are taken
from the trace, which need not be found with that manifest.

The trace of a change is done on the changed code, which the cache has by its hash. After the first difference the
implementation is the model, and the invariant that the change violates is judged again. If the cache does not have the code,
an error says with which command it is made. Such a trace is never done on code without the change.

If the implementation cannot be brought to the end of a step, that is no difference. The result is then undecided, exit code 20. So is that of a trace without a step.
`,
	Code:    command.RunsAdapter,
	Options: func() command.Options { return new(replayOptions) },
}

// replayOptions are the options of replay.
type replayOptions struct {
	implemented
	manifest string
}

func (o *replayOptions) Flags(fs *flag.FlagSet) {
	o.declare(fs)
	o.declareImpl(fs)
	fs.StringVar(&o.manifest, "manifest", "", "do the steps on the composition of the manifest `FILE` (default: that of the trace)")
}

func (o *replayOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	meta, trace, err := session.ReadTrace(c.Args[0])
	if err != nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Trace, "Not a trace", hcl.Range{}, "%v.", err)}, nil)
		return shell.Invalid
	}
	if o.impl == "" {
		o.impl = meta.Implementation
	}
	r, diags := c.Env(in).Replayed(meta, c.Args[0], o.manifest, c.Vars)
	if diags.HasErrors() {
		c.Report(diags, nil)
		return shell.Invalid
	}
	r.Named(&c.Doc)
	r = changes.Composed(r, meta)
	impl := o.connected(r)
	if impl != nil && (meta.Implementation != "" || o.manifest != "") {
		r.Walking(impl)
	}
	if impl != nil && r.Composition != nil && meta.Change != nil {
		changes.Again(r, impl, meta, c.Args[0], trace, o.Limits)
	} else if impl != nil && r.Composition != nil {
		req := r.Exploration(o.Limits, false)
		req.Verb = "conform"
		req.Options.Conform = &wire.Conform{Replay: trace, States: o.manifest == ""}
		r.Conform(impl, req, false, o.Kept(session.NextToManifest))
	}
	return o.conformed(c, r, impl, false)
}
