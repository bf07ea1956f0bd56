package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
)

// outcome is what became of one manifest, as far as it went.
type outcome struct {
	manifest *configs.Manifest
	comp     *compose.Composition // nil where the manifest could not be resolved
	static   *result.Interaction  // nil where it was not examined
	analysis *interaction.Report  // what static is made of; nil where the sources could not be loaded
	request  wire.Request         // what the program was asked, where report is set
	report   *wire.Report         // nil where nothing was explored
	traces   []string             // paths, one for each violation; "" for one that could not be written
	progress []wire.Progress      // samples of the run, where a report is asked for
	stopped  string               // why exploration was not begun, or ended without a report
	diags    hcl.Diagnostics
}

// off reports whether the manifest's options or bounds switch an action off: constants make its guard false in every state.
func (o *outcome) off(action string) bool {
	return o.analysis != nil && slices.Contains(o.analysis.Never, action)
}

func (o *outcome) add(diags ...*hcl.Diagnostic) { o.diags = append(o.diags, diags...) }

// exit is the exit code that the outcome leads to.
func (o *outcome) exit() int {
	if code := shell.ExitOf(o.diags); code != shell.OK {
		if o.report != nil && len(o.report.Violations) > 0 {
			return shell.ExitOfKind(o.report.Violations[0].Kind)
		}
		return code
	}
	switch {
	case o.stopped != "":
		return shell.Undecided
	case o.report == nil:
		return shell.OK
	case len(o.report.Violations) > 0:
		return shell.ExitOfKind(o.report.Violations[0].Kind)
	case o.report.Verdict == "undecided":
		return shell.Undecided
	}
	return shell.OK
}

// env is what composing needs.
func (c *call) env() compose.Env {
	e := compose.Env{CacheDir: c.settings.Cache}
	if c.errWidth > 0 { // somebody waits at a terminal
		e.Building = func() { c.note("building the program of this composition, which is kept for the next time") }
	}
	return e
}

// resolve loads a manifest and holds it against the catalog of its system.
func (c *call) resolve(path string) *outcome {
	return c.resolveWith(path, configs.Options{Assignments: c.opt.vars, Environ: c.environ})
}

func (c *call) resolveWith(path string, opt configs.Options) *outcome {
	o := &outcome{}
	m, diags := configs.Load(path, opt)
	o.manifest = m
	o.add(diags...)
	if diags.HasErrors() {
		unread := func(d *hcl.Diagnostic) bool {
			return slices.Contains([]configs.Code{configs.CodeUnreadable, configs.CodeNotUTF8, configs.CodeSyntax, configs.CodeExtends, configs.CodeExtendsCycle}, configs.CodeOf(d))
		}
		if !slices.ContainsFunc(diags, unread) {
			o.add(compose.Mistakes(m, diags, c.env())...)
		}
		return o
	}
	comp, diags := compose.Resolve(m, c.env())
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return cmp.Compare(line(m, a), line(m, b)) })
	o.add(diags...)
	if !diags.HasErrors() {
		o.comp = comp
	}
	return o
}

// line numbers the lines of a manifest's files one after the other. What stands elsewhere comes last.
func line(m *configs.Manifest, d *hcl.Diagnostic) int {
	const longest = 1 << 20 // no file of configs has as many lines
	if d.Subject != nil {
		if k := slices.Index(m.Files, d.Subject.Filename); k >= 0 {
			return k*longest + d.Subject.Start.Line
		}
	}
	return len(m.Files) * longest
}

// explore assembles a resolved composition and runs its program.
func (c *call) explore(o *outcome, req wire.Request, in shell.Interrupts) {
	if in.Soft.Err() != nil {
		o.stopped = "interrupted before the exploration"
		return
	}
	if req.Verb == "check" {
		c.live(o)
		if c.reduce(o, &req); o.diags.HasErrors() {
			return
		}
	}
	program, diags := o.comp.Assemble(in.Soft)
	if in.Soft.Err() != nil {
		o.stopped = "interrupted while the program was built"
		return
	}
	o.add(diags...)
	if diags.HasErrors() {
		return
	}
	if k := &c.opt.keeping; req.Verb == "check" {
		req.Options.Nearest = c.opt.verbose
		req.Options.Spill, req.Options.Fingerprint, req.Options.Checkpoint = k.spill, k.fingerprint, k.request(o, program, &req.Options)
	}
	p := wire.Program{Path: program, Stop: in.Soft.Done()}
	bar := c.progress(req)
	if bar != nil {
		p.Progress = bar.Show
	}
	if c.opt.report != "" {
		p.Progress = o.sample(p.Progress)
	}
	report, err := p.Run(in.Hard, req)
	bar.End()
	if err != nil {
		c.failed(o, err)
		return
	}
	o.request, o.report = req, report
	if len(o.progress) > 0 {
		o.progress = append(o.progress, wire.Progress{Depth: report.Depth, Distinct: report.Distinct, Generated: report.Generated,
			Seconds: report.Seconds, Memory: report.Memory})
	}
	if c.opt.explain {
		c.explain(o, in)
	}
	c.writeTraces(o)
	o.add(unkept(report)...)
	o.add(c.vacuous(o)...)
}

// manySamples bounds how many samples of a run are kept: where there are many, every second one is left out.
const manySamples = 1000

// sample keeps what is told of the progress of a run, and tells it to next, which may be nil.
func (o *outcome) sample(next func(wire.Progress)) func(wire.Progress) {
	every, seen := 1, 0
	return func(at wire.Progress) {
		if seen++; seen%every == 0 {
			o.progress = append(o.progress, at)
		}
		if len(o.progress) == manySamples {
			for k := range manySamples / 2 {
				o.progress[k] = o.progress[2*k]
			}
			o.progress, every = o.progress[:manySamples/2], 2*every
		}
		if next != nil {
			next(at)
		}
	}
}

// request asks the assembled program to explore all states.
func (c *call) request(o *outcome) wire.Request {
	req := wire.Request{
		Verb:   "check",
		Choice: o.comp.EncodedChoice(),
		Options: wire.Options{
			Workers: c.opt.workers, Stop: o.manifest.Check.Stop.Or(1), Deadlock: o.manifest.Check.Deadlock.Or(false),
			MaxStates: c.opt.maxStates, Timeout: c.opt.timeout, Memory: c.opt.memory,
		},
	}
	if o.analysis != nil && (c.opt.slice || o.manifest.Check.Slice.Or(false)) {
		req.Options.Sliced = o.analysis.Outside
	}
	if c.opt.seed != nil {
		req.Options.Seed = *c.opt.seed
	}
	if c.opt.stop != nil {
		req.Options.Stop = *c.opt.stop
	}
	return req
}

// tracesIn is the folder for counterexamples; "" where they are not kept.
func (c *call) tracesIn() string {
	switch {
	case c.opt.traces != "":
		return c.opt.traces
	case c.opt.report != "":
		return c.opt.report
	case c.verb.name == "test" || c.verb.name == "compare":
		return ""
	}
	return "."
}

// writeTraces writes the counterexamples of a report: MANIFEST-INVARIANT.itf.json, with a number behind the invariant from the
// second one of the same invariant on.
func (c *call) writeTraces(o *outcome) {
	seen := map[string]int{}
	for k := range o.report.Violations {
		v := &o.report.Violations[k]
		name := propertyName(v)
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, seen[name])
		}
		path := ""
		if v.Trace != nil {
			meta := metaOf(o)
			meta.Invariant, meta.Instance, meta.Kind, meta.Doc, meta.Why = v.Invariant, v.Instance, v.Kind, v.Doc, v.Why
			path = o.keepTrace(c.tracesIn(), name, meta, v.Trace)
		}
		o.traces = append(o.traces, path)
	}
}

// keepTrace writes a trace and returns its path, "" where there is none. A trace that cannot be written is a warning: the result stands without it.
func (o *outcome) keepTrace(folder, name string, meta itf.Meta, t *wire.Trace) string {
	if folder == "" {
		return ""
	}
	path, err := writeTrace(folder, name, meta, t)
	if err != nil {
		o.add(configs.Warnf(codes.Write, "Trace cannot be written", hcl.Range{},
			"%v. Name another folder with -traces.", err))
		return ""
	}
	return path
}

// propertyName is the name of what a violation violates.
func propertyName(v *wire.Violation) string {
	switch {
	case v.Invariant == "":
		return v.Kind
	case v.Instance == "":
		return v.Invariant
	}
	return v.Invariant + "." + v.Instance
}

// metaOf says where a trace comes from.
func metaOf(o *outcome) itf.Meta {
	meta := itf.Meta{Spec: o.manifest.Name(), System: o.comp.Catalog.System, Manifest: o.manifest.Path}
	for _, m := range o.comp.Modules {
		meta.Modules = append(meta.Modules, itf.Module{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	for _, v := range o.manifest.Variables {
		if meta.Variables == nil {
			meta.Variables = map[string]string{}
		}
		meta.Variables[v.Name] = string(hclwrite.TokensForValue(v.Value).Bytes())
	}
	return meta
}
