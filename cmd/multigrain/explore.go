package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
)

// outcome is what became of one manifest, as far as it went.
type outcome struct {
	env      *env
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

// resolve loads a manifest and compares it with the catalog of its system.
func (e *env) resolve(path string, vars []configs.Assignment) *outcome {
	return e.resolveWith(path, configs.Options{Assignments: vars, Environ: e.environ})
}

func (e *env) resolveWith(path string, opt configs.Options) *outcome {
	o := &outcome{env: e}
	m, diags := configs.Load(path, opt)
	o.manifest = m
	o.add(diags...)
	if diags.HasErrors() {
		unread := func(d *hcl.Diagnostic) bool {
			return slices.Contains([]configs.Code{configs.CodeUnreadable, configs.CodeNotUTF8, configs.CodeSyntax, configs.CodeExtends, configs.CodeExtendsCycle}, configs.CodeOf(d))
		}
		if !slices.ContainsFunc(diags, unread) {
			o.add(compose.Mistakes(m, diags, e.composing())...)
		}
		return o
	}
	comp, diags := compose.Resolve(m, e.composing())
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
func (o *outcome) explore(req wire.Request, how exploring) {
	if o.env.soft.Err() != nil {
		o.stopped = "interrupted before the exploration"
		return
	}
	if req.Verb == "check" {
		o.live(how.reductions)
		if o.reduce(&req, how.reductions); o.diags.HasErrors() {
			return
		}
	}
	program := o.assembled(o.comp.Assemble)
	if program == "" {
		return
	}
	if req.Verb == "check" {
		req.Options.Nearest = how.nearest
		req.Options.Spill, req.Options.Fingerprint, req.Options.Checkpoint = how.spill, how.fingerprint, how.keeping.request(o, program, &req.Options)
	}
	var sample func(wire.Progress)
	if how.sample {
		sample = o.sample()
	}
	report, err := o.env.ask(program, req, sample)
	if err != nil {
		o.failed(err, how.traces)
		return
	}
	o.request, o.report = req, report
	if len(o.progress) > 0 {
		o.progress = append(o.progress, wire.Progress{Depth: report.Depth, Distinct: report.Distinct, Generated: report.Generated,
			Seconds: report.Seconds, Memory: report.Memory})
	}
	if how.explain {
		o.explain()
	}
	o.writeTraces(how.traces)
	o.add(unkept(report)...)
	o.add(o.vacuous(how.strict)...)
}

// assembled is the path of a program that is built now or was before; "" where there is none.
func (o *outcome) assembled(assemble func(context.Context) (string, hcl.Diagnostics)) string {
	program, diags := assemble(o.env.soft)
	if o.env.soft.Err() != nil {
		o.stopped = interruptedBuild
		return ""
	}
	o.add(diags...)
	if diags.HasErrors() {
		return ""
	}
	return program
}

// interruptedBuild is why nothing was run.
const interruptedBuild = "interrupted while the program was built"

// manySamples bounds how many samples of a run are kept: where there are many, every second one is left out.
const manySamples = 1000

// sample returns what keeps samples of the progress of a run.
func (o *outcome) sample() func(wire.Progress) {
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
	}
}

// exploration asks the assembled program to explore all states.
func (o *outcome) exploration(l limits, slice bool) wire.Request {
	req := wire.Request{
		Verb:   "check",
		Choice: o.comp.EncodedChoice(),
		Options: wire.Options{
			Workers: l.workers, Stop: o.manifest.Check.Stop.Or(1), Deadlock: o.manifest.Check.Deadlock.Or(false),
			MaxStates: l.maxStates, Timeout: l.timeout, Memory: l.memory,
		},
	}
	if o.analysis != nil && (slice || o.manifest.Check.Slice.Or(false)) {
		req.Options.Sliced = o.analysis.Outside
	}
	if l.seed != nil {
		req.Options.Seed = *l.seed
	}
	if l.stop != nil {
		req.Options.Stop = *l.stop
	}
	return req
}

// writeTraces writes the counterexamples of a report: MANIFEST-INVARIANT.itf.json, with a number behind the invariant from the
// second one of the same invariant on.
func (o *outcome) writeTraces(folder string) {
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
			path = o.keepTrace(folder, name, meta, v.Trace)
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
