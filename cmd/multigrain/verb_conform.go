package main

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
)

var conformVerb = verb{
	name: "conform", args: "MANIFEST", summary: "do random walks on an implementation and compare the states", least: 1, most: 1,
	about: `Random walks of the composition are done again, step by step, on an implementation that an implementation block of the
manifest names:

    implementation "etcd-raft" {
      adapter = "../../raft/etcdraft"    # the Go package that connects it, relative to this file, or its import path
      version = "v3.7.0"                 # that must be built in
      bounds {
        terms = 5                        # in place of the manifest's, for walks
      }
    }

After every step all variables that the adapter observes are compared, messages in flight among them. A walk that ends in a
difference is made as short as possible; its trace and the implementation's log are written, and multigrain replay does it
again. Walks are drawn as simulate draws them, with the weights of the manifest's simulate block, which also says how many
there are and how long and what they start from, where no flag does. Steps that leave the state constraints or exceed a
capacity are not taken. The same seed means the same walks, whatever the number of workers.

The coverage over the walks is that of actions, of their instances, and of branches: each operand of a condition in a guard, an
effect or a rule, and in the functions that they call, has the branches true and false, unless the manifest's constants decide
it. Those that were not taken are listed. -branches=false leaves branches out and is up to twice as fast.

The exit code is 30 where there is a difference, and 0 where all walks that were asked for were done without one, which says nothing
about other behaviours.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		implementationFlags(fs, o)
		fs.Func("traces", "do `N` walks; 0 is as many as fit into the time (default: 10000, or 0 with a time)", func(s string) error {
			n, err := strconv.ParseInt(s, 10, 64)
			if o.walks.number = &n; err != nil || n < 0 {
				return errors.New("a whole number of at least 0 is wanted")
			}
			return nil
		})
		fs.Func("depth", "steps of a walk, `N` at most (default: 100)", func(s string) (err error) {
			if o.walks.depth, err = strconv.Atoi(s); err != nil || o.walks.depth < 1 {
				return errors.New("a whole number of at least 1 is wanted")
			}
			return nil
		})
		fs.Func("time", "end after a `duration`, such as 90s or 10m: undecided if fewer walks than a given number were done by then", func(s string) (err error) {
			if o.timeout, err = time.ParseDuration(s); err != nil || o.timeout <= 0 {
				return errors.New("a positive duration with a unit is wanted, such as 90s or 10m")
			}
			return nil
		})
		start(fs, o, "start of the random choices, `N` (default: 0)")
		weightFlag(fs, &o.walks)
		fs.Func("workers", "walk with `N` workers; 0, the default, is one for each processor", func(s string) (err error) {
			o.workers, err = words.ParseCount(s)
			return err
		})
		fs.Func("stop", "end after `N` differences; 0: never (default: 1)", func(s string) error {
			n, err := words.ParseCount(s)
			o.stop = &n
			return err
		})
		fs.BoolVar(&o.branches, "branches", true, "report which branches of guards and effects are taken and which are not; false: another program is built, which is faster")
		fs.BoolVar(&o.verbose, "v", false, "show the coverage at more points, and all branches that were not taken")
	},
	run: runConform,
}

// implementationFlags declares the flags of the verbs that run an implementation.
func implementationFlags(fs *flag.FlagSet, o *options) {
	fs.StringVar(&o.impl, "impl", "", "the implementation block `NAME` (default: the only one)")
	fs.StringVar(&o.traces, "to", "", "write traces and logs of differences into the folder `DIR` (default: the working folder)")
}

func runConform(c *call) int {
	in := shell.Catch()
	defer in.Release()
	o := c.resolve(c.args[0])
	named(&c.doc, o)
	impl := c.connected(o)
	if impl != nil {
		o.walking(impl)
	}
	if impl != nil && o.comp != nil {
		req, diags := c.simulation(o)
		o.add(diags...)
		req.Verb, req.Options.Stop = "conform", 1
		if c.opt.stop != nil {
			req.Options.Stop = *c.opt.stop
		}
		walks := req.Options.Simulate
		req.Options.Conform = &wire.Conform{Depth: walks.Depth, Number: walks.Number, Weights: walks.Weights}
		c.conform(o, impl, req, in)
	}
	return c.conformed(o, impl)
}

// connected is the implementation block that is meant; nil, with a diagnostic, where there is none.
func (c *call) connected(o *outcome) *configs.Implementation {
	if o.comp == nil {
		return nil
	}
	all := o.manifest.Implementations
	var names []string
	for _, impl := range all {
		if impl.Name == c.opt.impl {
			return impl
		}
		names = append(names, impl.Name)
	}
	switch {
	case len(all) == 0:
		o.add(configs.Errorf(codes.NoImplementation, "Manifest without implementation", hcl.Range{Filename: o.manifest.Path},
			`%s names no implementation. Add a block implementation "name" { adapter = "..." }.`, o.manifest.Path))
	case c.opt.impl != "":
		o.add(configs.Errorf(codes.FlagValue, "Unknown implementation", hcl.Range{},
			"%s has no implementation %q.%s", o.manifest.Path, c.opt.impl, configs.Hint(c.opt.impl, names)))
	case len(all) == 1:
		return all[0]
	default:
		o.add(configs.Errorf(codes.FlagValue, "Several implementations", hcl.Range{},
			"%s names %s. Say which one is meant with -impl.", o.manifest.Path, strings.Join(names, ", ")))
	}
	return nil
}

// walking gives the composition the bounds of the implementation block.
func (o *outcome) walking(impl *configs.Implementation) {
	comp, diags := o.comp.ForWalks(impl)
	o.add(diags...)
	if o.comp = comp; diags.HasErrors() {
		o.comp = nil
	}
}

// conform builds the program with the implementation and lets it answer.
func (c *call) conform(o *outcome, impl *configs.Implementation, req wire.Request, in shell.Interrupts) {
	settings, diags := settingsOf(impl)
	if o.add(diags...); o.diags.HasErrors() {
		return
	}
	choice := o.comp.Choice
	choice.Invariants, choice.Except = nil, nil // they are check's
	plain := *o.comp
	plain.Choice = choice
	req.Choice = plain.EncodedChoice()
	req.Options.Simulate = nil
	req.Options.Conform.Version, req.Options.Conform.Settings = impl.Version.Value, settings
	assemble := o.comp.AssembleWith
	if c.opt.branches {
		assemble = o.comp.AssembleCovering
	}
	program, diags := assemble(in.Soft, impl)
	if in.Soft.Err() != nil {
		o.stopped = "interrupted while the program was built"
		return
	}
	if o.add(diags...); diags.HasErrors() {
		return
	}
	p := wire.Program{Path: program, Stop: in.Soft.Done()}
	bar := c.progress(req)
	if bar != nil {
		p.Progress = bar.Show
	}
	report, err := p.Run(in.Hard, req)
	bar.End()
	var fault *wire.Error
	switch errors.As(err, &fault); {
	case err == nil:
		o.request, o.report = req, report
	case fault != nil && fault.Kind == wire.ErrorVersion:
		o.add(impl.Version.Errorf(codes.Version, "Another version is built in",
			"%s. Change the requirement in go.mod, or hold the specification against the other version and pin that.", strings.TrimSuffix(words.Sentence(fault.Message), ".")))
	case fault != nil && fault.Kind == wire.ErrorAdapter:
		o.add(configs.Errorf(codes.Adapter, "Implementation cannot be followed", impl.DeclRange, "%s", words.Sentence(fault.Message)))
	case fault != nil && fault.Kind == wire.ErrorTrace:
		o.add(configs.Errorf(codes.Trace, "Not a trace of the composition", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	default:
		c.failed(o, err)
	}
}

// settingsOf are the settings of an implementation block as texts.
func settingsOf(impl *configs.Implementation) (map[string]string, hcl.Diagnostics) {
	out := map[string]string{}
	var diags hcl.Diagnostics
	for _, s := range impl.Settings {
		v, err := convert.Convert(s.Value, cty.String)
		if err != nil || v.IsNull() {
			diags = append(diags, s.Errorf(configs.CodeWrongType, "Wrong type of value",
				"The setting %q of an implementation is a text, a number or a truth value.", s.Name))
			continue
		}
		out[s.Name] = v.AsString()
	}
	return out, diags
}

// conformed shows what became of a run and returns the exit code.
func (c *call) conformed(o *outcome, impl *configs.Implementation) int {
	if o.comp != nil {
		compositionOf(&c.doc, o.comp)
	}
	if o.report != nil && o.report.Conformance != nil {
		c.doc.Conform = c.conformOf(o, impl)
		c.print(text.Conformance{Paint: c.painter(c.outWidth), Verbose: c.opt.verbose}.Text(&c.doc))
	} else if o.stopped != "" {
		c.print(fmt.Sprintf("undecided: %s\n", o.stopped))
	}
	c.report(o.diags, o.manifest.Sources)
	switch {
	case o.report == nil && o.stopped != "":
		return shell.Undecided
	case o.report == nil:
		return shell.ExitOf(o.diags)
	case o.report.Conformance.Count > 0:
		return shell.Mismatch
	case o.report.Verdict == "undecided":
		return shell.Undecided
	}
	return shell.ExitOf(o.diags)
}

// conformOf makes the document of a run, and writes traces and logs.
func (c *call) conformOf(o *outcome, impl *configs.Implementation) *result.Conformance {
	r, f := o.report, o.report.Conformance
	d := &result.Conformance{
		Implementation: impl.Name, Version: f.Version, Verdict: r.Verdict, Reason: r.Reason, Traces: f.Traces, Steps: f.Steps, Differences: f.Count,
		Depth: o.request.Options.Conform.Depth, Longest: f.Longest, Short: f.Short, Refused: f.Refused, Exceeded: f.Exceeded, Seed: f.Seed,
		Seconds: r.Seconds, Workers: r.Workers, Actions: []result.ConformedAction{}, Coverage: f.Coverage, Branches: f.Branches, Observed: f.Observed, Unobserved: f.Unobserved,
		Found: []result.Difference{},
	}
	if f.Branches != nil {
		for k := range f.Branches.Missing {
			m := &f.Branches.Missing[k]
			m.File = words.ShortPath(m.File)
		}
	}
	for k, a := range r.Actions {
		d.Actions = append(d.Actions, result.ConformedAction{Name: a.Name, Module: a.Module, Fired: a.Fired, Instances: f.Instances[k]})
	}
	for k := range f.Found {
		x := &f.Found[k]
		steps := len(x.Trace.Steps)
		one := result.Difference{
			Kind: x.Kind, Step: steps, Counterexample: behaviourOf(x.Trace, false), Message: x.Message, Frames: x.Frames, Walk: x.Walk, Length: x.Length,
			Minimal: x.Minimal, Count: x.Count,
		}
		for _, v := range x.Values {
			one.Values = append(one.Values, result.Differing{Differing: v, SpecificationText: sideText(v.Specification), ImplementationText: sideText(v.Implementation)})
		}
		name := x.Kind
		if len(x.Values) > 0 {
			one.Variable = x.Values[0].Path
			name, _, _ = strings.Cut(strings.ReplaceAll(one.Variable, ".", "["), "[")
		}
		if steps > 0 {
			one.Action = x.Trace.Steps[steps-1].Action
		}
		meta := metaOf(o)
		meta.Implementation, meta.Kind, meta.Doc = impl.Name, "conform", words.Sentence(one.Line())
		one.Trace = o.keepTrace(c.tracesIn(), impl.Name+"-"+name, meta, x.Trace)
		if one.Trace != "" {
			one.Log = c.keepLog(o, strings.TrimSuffix(one.Trace, ".itf.json")+".log", x.Log)
		}
		d.Found = append(d.Found, one)
	}
	return d
}

// keepLog writes the implementation's log and returns its path, "" where it cannot be written.
func (c *call) keepLog(o *outcome, path string, lines []string) string {
	if err := files.WriteFile(filepath.Clean(path), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		o.add(configs.Warnf(codes.Write, "Log cannot be written", hcl.Range{}, "%v. Name another folder with -to.", err))
		return ""
	}
	return path
}

// sideText is the value of one side; "" where it has none.
func sideText(v *modules.View) string {
	if v == nil {
		return ""
	}
	return itf.Text(*v)
}
