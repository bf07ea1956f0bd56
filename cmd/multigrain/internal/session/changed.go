package session

import (
	"cmp"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/configs"
)

// OfChange says which changed code the run is about: its traces name it. Own is the invariant that
// a trace breaks which is done once more, "" for none.
func (r *Run) OfChange(c *itf.OfChange, own string) { r.change, r.own = c, own }

// KeepBroken is KeepBehaviour for a behaviour of changed code that breaks an invariant, or panics.
func (r *Run) KeepBroken(traces Traces, name string, impl *configs.Implementation, v *wire.Broken) (trace, log string) {
	meta := metaOf(r)
	meta.Implementation, meta.Invariant, meta.Kind, meta.Doc = impl.Name, v.Invariant, v.Kind, v.Doc
	if trace = r.keepTrace(traces, name, meta, v.Trace); trace != "" {
		log = r.keepLog(strings.TrimSuffix(trace, ".itf.json")+".log", v.Log)
	}
	return trace, log
}

// ofChange adds to a document what changed code breaks, and returns where its traces go. The trace
// that was done is there already, so further ones go only into a folder that the user names.
func (r *Run) ofChange(d *result.Conformance, traces Traces) Traces {
	d.Change = r.change.Hash
	d.Version, _, _ = strings.Cut(d.Version, " ") // without the folder that replaces it
	if f := r.Report.Conformance.Followed; f != nil {
		known := narrate.KnownOf(r.Composition.Catalog)
		for k := range f.Violations {
			d.Broken = append(d.Broken, BrokenOf(&f.Violations[k], known))
		}
		slices.SortStableFunc(d.Broken, func(a, b result.BrokenInCode) int {
			return map[bool]int{true: 1}[a.Invariant != r.own] - map[bool]int{true: 1}[b.Invariant != r.own]
		})
	}
	if traces == NextToManifest {
		return NoTraces
	}
	return traces
}

// BrokenOf returns what changed code breaks as the document has it, without its files.
func BrokenOf(v *wire.Broken, known narrate.Known) result.BrokenInCode {
	b := result.BrokenInCode{Invariant: v.Invariant, Kind: v.Kind, Doc: v.Doc, Depth: len(v.Trace.Steps), Departed: v.Departed, Walk: v.Walk, Length: v.Length,
		Minimal: v.Minimal, Count: v.Count, Counterexample: narrate.BehaviourOf(v.Trace, known, false), Frames: v.Frames, Values: differingOf(v.Values, known)}
	departs(b.Counterexample, b.Departed, b.Values, "")
	return b
}

// differingOf returns what differs with both values as texts.
func differingOf(values []wire.Differing, known narrate.Known) (out []result.Differing) {
	for _, v := range values {
		out = append(out, result.Differing{Differing: v, SpecificationText: sideText(v.Specification, &known), ImplementationText: sideText(v.Implementation, &known)})
	}
	return out
}

// departs marks the step of a behaviour's diagram after which code and specification differ.
func departs(b *result.Behaviour, step int, values []result.Differing, message string) {
	if b != nil && b.Diagram != nil && len(values)+len(message) > 0 {
		b.Diagram.Departs = &result.Departure{Step: step, Sides: values, Message: message}
	}
}

// Retrace does a trace on a program with changed code, with the implementation as the model after
// the first difference. It sets r.Report, or says why there is none.
func (r *Run) Retrace(impl *configs.Implementation, program string, trace *wire.Trace, limits Limits) {
	actions, seen, diags := r.Composition.Footprints()
	if r.Add(diags...); diags.HasErrors() {
		return
	}
	var shared []wire.Departure
	if r.change != nil {
		shared = r.change.Shared
	}
	req := r.Exploration(limits, false)
	req.Options.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
	req.Options.Conform = &wire.Conform{Replay: trace, Follow: &wire.Follow{Shared: shared}}
	rep, why := r.AskCode(impl, program, req, NoTraces)
	if r.Report = rep; rep == nil {
		r.Stopped = cmp.Or(r.Stopped, why)
	}
}
