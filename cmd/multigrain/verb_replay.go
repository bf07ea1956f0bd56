package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
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
	meta, trace, err := readTrace(c.args[0])
	if err != nil {
		c.report(hcl.Diagnostics{configs.Errorf(codes.Trace, "Not a trace", hcl.Range{}, "%v.", err)}, nil)
		return shell.Invalid
	}
	if c.opt.impl == "" {
		c.opt.impl = meta.Implementation
	}
	o, diags := c.replayed(meta)
	if diags.HasErrors() {
		c.report(diags, nil)
		return shell.Invalid
	}
	named(&c.doc, o)
	impl := c.connected(o)
	if impl != nil && (meta.Implementation != "" || c.opt.manifest != "") {
		o.walking(impl)
	}
	if impl != nil && o.comp != nil {
		req := c.request(o)
		req.Verb = "conform"
		req.Options.Conform = &wire.Conform{Replay: trace, States: c.opt.manifest == ""}
		c.conform(o, impl, req, in)
	}
	return c.conformed(o, impl)
}

// replayed resolves the manifest of a trace with the values that its variables had, or the one that is asked for.
func (c *call) replayed(meta itf.Meta) (*outcome, hcl.Diagnostics) {
	if c.opt.manifest != "" {
		return c.resolve(c.opt.manifest), nil
	}
	if meta.Manifest == "" {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Trace, "Trace without manifest", hcl.Range{},
			"%s does not say which manifest it comes from. Name one with -manifest.", c.args[0])}
	}
	if _, err := os.Stat(meta.Manifest); err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Trace, "Manifest of the trace not found", hcl.Range{},
			"%v. Run this from the folder from which the trace was written, or name the manifest with -manifest.", files.Unread(meta.Manifest, err))}
	}
	file, err := os.CreateTemp("", "multigrain-*.hcl")
	if err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Write, "File cannot be written", hcl.Range{}, "%v.", err)}
	}
	defer os.Remove(file.Name())
	var names []string
	for name := range meta.Variables {
		names = append(names, name)
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "%s = %s\n", name, meta.Variables[name])
	}
	_, err = file.WriteString(text.String())
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Write, "File cannot be written", hcl.Range{}, "%v.", err)}
	}
	values := append([]configs.Assignment{{File: file.Name()}}, c.opt.vars...)
	return c.resolveWith(meta.Manifest, configs.Options{Assignments: values, Environ: c.environ}), nil
}
