package main

import (
	"flag"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/configs"
)

var replayVerb = verb{
	name: "replay", args: "TRACE", summary: "do one trace on an implementation and compare the states", least: 1, most: 1,
	about: `The trace is a file in ITF JSON, as check, simulate and conform write it. Its steps are done on the implementation of the
manifest that it comes from, with the values that the manifest's variables had, and after each the states are compared as
conform does. With -manifest the steps are done on another manifest's composition: then only actions and parameters are taken
from the trace, which need not be found with that manifest.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		implementationFlags(fs, o)
		fs.StringVar(&o.manifest, "manifest", "", "do the steps on the composition of the manifest `FILE` (default: that of the trace)")
	},
	run: runReplay,
}

func runReplay(c *call) int {
	in := shell.Catch()
	defer in.Release()
	meta, trace, err := session.ReadTrace(c.args[0])
	if err != nil {
		c.report(hcl.Diagnostics{configs.Errorf(codes.Trace, "Not a trace", hcl.Range{}, "%v.", err)}, nil)
		return shell.Invalid
	}
	if c.opt.impl == "" {
		c.opt.impl = meta.Implementation
	}
	o, diags := c.env(in).Replayed(meta, c.args[0], c.opt.manifest, c.opt.vars)
	if diags.HasErrors() {
		c.report(diags, nil)
		return shell.Invalid
	}
	o.Named(&c.doc)
	impl := o.Connected(c.opt.impl)
	if impl != nil && (meta.Implementation != "" || c.opt.manifest != "") {
		o.Walking(impl)
	}
	if impl != nil && o.Composition != nil {
		req := o.Exploration(c.limits(), false)
		req.Verb = "conform"
		req.Options.Conform = &wire.Conform{Replay: trace, States: c.opt.manifest == ""}
		o.Conform(impl, req, c.opt.branches, c.tracesIn())
	}
	return c.conformed(o, impl)
}
