package session

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/compose"
)

// Check examines whether a resolved composition preserves the interactions of its targets. If no
// diagnostic is an error, it explores all states within the limits. With allowBroken a broken
// interaction is a warning. Results are in Examined and Explored, errors among the diagnostics.
func (r *Run) Check(l Limits, how Exploring, allowBroken bool) {
	if r.Composition == nil {
		return
	}
	r.Preserve(allowBroken)
	if r.Diagnostics.HasErrors() {
		return
	}
	r.Explore(r.Exploration(l, how.Slice), how)
}

// Explore assembles a resolved composition and runs its program.
func (r *Run) Explore(req wire.Request, how Exploring) {
	if r.Env.Soft.Err() != nil {
		r.Stopped = "interrupted before the exploration"
		return
	}
	if req.Verb == "check" {
		r.live(how.Reductions)
		if r.Reduce(&req, how.Reductions); r.Env.Engine != nil {
			r.unshared(&req, &how)
		}
		if r.Diagnostics.HasErrors() {
			return
		}
	}
	program := r.assembled(r.builds(req))
	if program == "" {
		return
	}
	if req.Verb == "check" {
		req.Options.Nearest = how.Nearest && r.Env.Engine == nil
		req.Options.Spill, req.Options.Fingerprint, req.Options.Checkpoint = how.Spill, how.Fingerprint, how.Keeping.request(r, program, &req.Options)
		if r.Diagnostics.HasErrors() {
			return
		}
	}
	x, err := r.Env.Explore(program, req, how.Sample)
	r.Explored = x
	if err != nil {
		r.request = req // the remedy names what was asked
		r.Failed(err, how.Traces)
		return
	}
	r.concludes(how)
}

// builds returns what builds the program for a request.
func (r *Run) builds(req wire.Request) Build {
	if s := req.Options.Simulate; s != nil && s.Strategy.LearnsBranches() {
		return r.Composition.AssembleWalking
	}
	if req.Verb == "simulate" {
		return r.Composition.Assembling(compose.Simulate)
	}
	return r.Composition.Assembling(compose.Check)
}

// concludes judges what was explored, and writes its traces.
func (r *Run) concludes(how Exploring) {
	if how.Explain {
		r.explain()
	}
	r.writeTraces(how.Traces)
	r.Add(unkept(r.Report)...)
	findings := r.vacuous(how.Strict)
	r.Add(findings...)
	r.judge(findings)
}

// ExploreSeries is Explore for n requests, at least one, that one program answers one after the
// other. Keep is called with each answer by its number, and reports whether it is the result of the
// run so far. An interrupt ends the series.
func (r *Run) ExploreSeries(n int, request func(k int) wire.Request, how Exploring, keep func(k int, rep *wire.Report) bool) {
	program := ""
	for k := range n {
		if r.Env.Soft.Err() != nil {
			r.Stopped = "interrupted before the exploration"
			break
		}
		req := request(k)
		if program == "" {
			if program = r.assembled(r.builds(req)); program == "" {
				return
			}
		}
		x, err := r.Env.Explore(program, req, false)
		if err != nil {
			r.Explored = x
			r.request = req
			r.Failed(err, how.Traces)
			return
		}
		if keep(k, x.Report) {
			r.Explored = x
		}
	}
	if r.Report != nil {
		r.Stopped = ""
		r.concludes(how)
	}
}

// Exploration asks the assembled program to explore all states.
func (r *Run) Exploration(l Limits, slice bool) wire.Request {
	req := wire.Request{
		Verb:   "check",
		Choice: r.Composition.EncodedChoice(),
		Options: wire.Options{
			Workers: l.Workers, Stop: r.Manifest.Check.Stop.Or(1), Deadlock: r.Manifest.Check.Deadlock.Or(false),
			MaxStates: l.MaxStates, Timeout: l.Timeout, Processor: l.Processor, Memory: l.Memory, Closure: l.Closure,
		},
	}
	if r.Analysis != nil && (slice || r.Manifest.Check.Slice.Or(false)) {
		req.Options.Sliced = r.Analysis.Outside
	}
	if l.Seed != nil {
		req.Options.Seed = *l.Seed
	}
	if l.Stop != nil {
		req.Options.Stop = *l.Stop
	}
	return req
}

// writeTraces writes the counterexamples of a report: see keepTrace. The property has a number from
// the second counterexample of the same one on.
func (r *Run) writeTraces(traces Traces) {
	seen := map[string]int{}
	for k := range r.Report.Violations {
		v := &r.Report.Violations[k]
		name := propertyName(v)
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, seen[name])
		}
		path := ""
		if v.Trace != nil {
			meta := metaOf(r)
			meta.Invariant, meta.Instance, meta.Kind, meta.Doc, meta.Why = v.Invariant, v.Instance, v.Kind, v.Doc, v.Why
			path = r.keepTrace(traces, name, meta, v.Trace)
		}
		r.traces = append(r.traces, path)
	}
}

// propertyName returns the name of what a violation violates.
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
func metaOf(r *Run) itf.Meta {
	meta := itf.Meta{Spec: r.Manifest.Name(), System: r.Composition.Catalog.System, Manifest: r.Manifest.Path, Messages: r.Composition.Catalog.Messages, Zeros: narrate.ZerosOf(r.Composition.Catalog), Change: r.change}
	for _, m := range r.Composition.Modules {
		meta.Modules = append(meta.Modules, itf.Module{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	for _, v := range r.Manifest.Variables {
		if meta.Variables == nil {
			meta.Variables = map[string]string{}
		}
		meta.Variables[v.Name] = string(hclwrite.TokensForValue(v.Value).Bytes())
	}
	for _, o := range r.Manifest.Overrides {
		if meta.Set == nil {
			meta.Set = map[string]string{}
		}
		meta.Set[o.Name] = o.Text
	}
	return meta
}
