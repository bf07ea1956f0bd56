package main

import (
	"flag"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/changes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/regress"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
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

With -judge the answer is about what the trace was kept for. If that is a violated property, the property is judged on the
states of the implementation, which is the model after the first difference. So an implementation that does each step of a
counterexample violates it, and one that differs in time does not. Traces of conform are compared as without -judge.

-write-test FILE does that, too, and writes a test into FILE. That is a test of Go if the name ends in _test.go, and a script of
the shell if it ends in .sh. The test starts the implementation and does the trace, without a search, and fails as long as the
bug is there. The trace is copied to the folder testdata/multigrain next to FILE.

If the implementation cannot be brought to the end of a step, that is no difference. The result is then undecided, exit code 20. So is that of a trace without a step.
`,
	Code:    command.RunsAdapter,
	Options: func() command.Options { return new(replayOptions) },
}

// replayOptions are the options of replay.
type replayOptions struct {
	implemented
	manifest, test string
	judge          bool
}

func (o *replayOptions) Flags(fs *flag.FlagSet) {
	o.declare(fs)
	o.declareImpl(fs)
	o.tracesFlag(fs)
	fs.StringVar(&o.manifest, "manifest", "", "do the steps on the composition of the manifest `FILE` (default: that of the trace)")
	fs.BoolVar(&o.judge, "judge", false, "judge the property that the trace violates on the states of the implementation")
	fs.StringVar(&o.test, "write-test", "", "write a test that does the trace again into `FILE`, in Go or as a script; implies -judge")
}

// Places returns the files and folders that flags name.
func (o *replayOptions) Places() []shell.Place {
	return append(o.implemented.Places(), shell.Place{Path: o.test, Flag: "-write-test", Summary: "Test cannot be written"})
}

// Ready reports a file that is no test.
func (o *replayOptions) Ready() hcl.Diagnostics {
	if o.test == "" || regress.Named(o.test) {
		return nil
	}
	return hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Wrong value of flag", hcl.Range{},
		"-write-test cannot be %q: the name of a test of Go ends in _test.go, and that of a script in .sh.", o.test)}
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
	if o.judge = o.judge || o.test != ""; o.judge && meta.Change == nil && !regress.Judged(meta) {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Trace, "Trace cannot be judged", hcl.Range{},
			"%s is %s. Only a violated invariant, a violated property of steps and a difference that conform found are seen in the states of an implementation. Leave out -judge and -write-test.",
			c.Args[0], regress.About(meta))}, nil)
		return shell.Invalid
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
		if o.judge {
			regress.Asked(r, meta, &req)
		}
		r.Conform(impl, req, 1, false, o.Kept(session.NextToManifest))
	}
	if o.judge && meta.Change == nil {
		o.settled = func(d *result.Conformance) { o.judged(c, r, impl, meta, trace, d) }
	}
	return o.conformed(c, r, impl, false)
}

// judged gives the verdict of -judge, and writes the test that is asked for.
func (o *replayOptions) judged(c *command.Call, r *session.Run, impl *configs.Implementation, meta itf.Meta, trace *wire.Trace, d *result.Conformance) {
	regress.Judge(r, meta, trace, d)
	if o.test == "" {
		return
	}
	if d.Verdict == verdicts.Undecided {
		r.Add(configs.Errorf(codes.Trace, "Test not written", hcl.Range{},
			"The replay is undecided: %s. A test of it would fail with and without the bug.", strings.TrimSuffix(d.Reason, ".")))
		return
	}
	folder := filepath.Dir(o.test)
	t := regress.Test{File: o.test, Trace: trace, Flags: []string{"-impl", regress.Pinned(o.impl, impl)}, On: strings.TrimSpace(d.Implementation + " " + d.Version), Sees: regress.About(meta)}
	t.Meta = session.MetaOf(r)
	t.Meta.Invariant, t.Meta.Instance, t.Meta.Kind, t.Meta.Doc, t.Meta.Implementation = meta.Invariant, meta.Instance, meta.Kind, meta.Doc, meta.Implementation
	if o.manifest != "" {
		rel, err := regress.Relative(folder, o.manifest)
		if err != nil {
			rel = o.manifest
		}
		t.Flags = append(t.Flags, "-manifest", rel)
		for _, name := range slices.Sorted(maps.Keys(t.Meta.Variables)) {
			t.Flags = append(t.Flags, "-var", name+"="+t.Meta.Variables[name])
		}
		for _, name := range slices.Sorted(maps.Keys(t.Meta.Set)) {
			t.Flags = append(t.Flags, "-set", name+"="+t.Meta.Set[name])
		}
	}
	copied, err := t.Write()
	if err != nil {
		r.Add(configs.Errorf(codes.Write, "Test cannot be written", hcl.Range{}, "%v. Name another file with -write-test.", err))
		return
	}
	d.Test = o.test
	c.Note("test: %s, with %s", o.test, copied)
	if d.Verdict == verdicts.Holds {
		c.Note("The test passes now: %s does not show what the trace was kept for.", t.On)
	}
}
