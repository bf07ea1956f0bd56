package session

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/configs"
)

// Check examines a resolved composition and explores all its states, as far as it goes.
func (o *Run) Check(l Limits, how Exploring, allowBroken bool) {
	if o.Composition == nil {
		return
	}
	o.Preserve(allowBroken)
	if o.Diagnostics.HasErrors() {
		return
	}
	o.Explore(o.Exploration(l, how.Slice), how)
}

// Explore assembles a resolved composition and runs its program.
func (o *Run) Explore(req wire.Request, how Exploring) {
	if o.Env.Soft.Err() != nil {
		o.Stopped = "interrupted before the exploration"
		return
	}
	if req.Verb == "check" {
		o.live(how.Reductions)
		if o.Reduce(&req, how.Reductions); o.Diagnostics.HasErrors() {
			return
		}
	}
	program := o.assembled(o.Composition.Assemble)
	if program == "" {
		return
	}
	if req.Verb == "check" {
		req.Options.Nearest = how.Nearest
		req.Options.Spill, req.Options.Fingerprint, req.Options.Checkpoint = how.Spill, how.Fingerprint, how.Keeping.request(o, program, &req.Options)
	}
	var sample func(wire.Progress)
	if how.Sample {
		sample = o.sample()
	}
	report, err := o.Env.ask(program, req, sample)
	if err != nil {
		o.Failed(err, how.Traces)
		return
	}
	o.request, o.Report = req, report
	if len(o.progress) > 0 {
		o.progress = append(o.progress, wire.Progress{Depth: report.Depth, Distinct: report.Distinct, Generated: report.Generated,
			Seconds: report.Seconds, Memory: report.Memory})
	}
	if how.Explain {
		o.explain()
	}
	o.writeTraces(how.Traces)
	o.Add(unkept(report)...)
	o.Add(o.vacuous(how.Strict)...)
}

// manySamples bounds how many samples of a run are kept: where there are many, every second one is left out.
const manySamples = 1000

// sample returns what keeps samples of the progress of a run.
func (o *Run) sample() func(wire.Progress) {
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

// Exploration asks the assembled program to explore all states.
func (o *Run) Exploration(l Limits, slice bool) wire.Request {
	req := wire.Request{
		Verb:   "check",
		Choice: o.Composition.EncodedChoice(),
		Options: wire.Options{
			Workers: l.Workers, Stop: o.Manifest.Check.Stop.Or(1), Deadlock: o.Manifest.Check.Deadlock.Or(false),
			MaxStates: l.MaxStates, Timeout: l.Timeout, Memory: l.Memory,
		},
	}
	if o.Analysis != nil && (slice || o.Manifest.Check.Slice.Or(false)) {
		req.Options.Sliced = o.Analysis.Outside
	}
	if l.Seed != nil {
		req.Options.Seed = *l.Seed
	}
	if l.Stop != nil {
		req.Options.Stop = *l.Stop
	}
	return req
}

// writeTraces writes the counterexamples of a report: MANIFEST-INVARIANT.itf.json, with a number behind the invariant from the
// second one of the same invariant on.
func (o *Run) writeTraces(folder string) {
	seen := map[string]int{}
	for k := range o.Report.Violations {
		v := &o.Report.Violations[k]
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
func (o *Run) keepTrace(folder, name string, meta itf.Meta, t *wire.Trace) string {
	if folder == "" {
		return ""
	}
	path, err := writeTrace(folder, name, meta, t)
	if err != nil {
		o.Add(configs.Warnf(codes.Write, "Trace cannot be written", hcl.Range{},
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
func metaOf(o *Run) itf.Meta {
	meta := itf.Meta{Spec: o.Manifest.Name(), System: o.Composition.Catalog.System, Manifest: o.Manifest.Path}
	for _, m := range o.Composition.Modules {
		meta.Modules = append(meta.Modules, itf.Module{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	for _, v := range o.Manifest.Variables {
		if meta.Variables == nil {
			meta.Variables = map[string]string{}
		}
		meta.Variables[v.Name] = string(hclwrite.TokensForValue(v.Value).Bytes())
	}
	return meta
}
