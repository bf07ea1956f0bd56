package session

import (
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
)

// composition fills in what a composition is.
func CompositionOf(d *result.Document, c *compose.Composition) {
	d.System = c.Catalog.System
	d.Modules = nil
	for _, m := range c.Modules {
		d.Modules = append(d.Modules, result.Module(m))
	}
}

// explorationOf is the report of an outcome as the document has it.
func explorationOf(o *Run) *result.Exploration {
	r := o.Report
	x := &result.Exploration{
		Verdict: r.Verdict, Reason: r.Reason, Distinct: r.Distinct, Generated: r.Generated, Spared: r.Spared, Depth: r.Depth, Seconds: r.Seconds,
		Workers: r.Workers, Digest: r.Digest, Collision: r.Collision, Observed: r.Observed, Fingerprint: r.Fingerprint, Levels: r.Levels, Memory: r.Memory, MemoryEnd: r.MemoryEnd, Disk: r.Disk, StateBytes: r.NodeBytes,
		Masked: r.Masked, MaskedBy: r.MaskedBy, Liveness: r.Liveness, Invariants: r.Invariants, GoalsMissed: r.GoalsMissed, Checkpoint: r.Checkpoint,
		Symmetry: r.Symmetry, POR: r.POR, Sliced: o.request.Options.Sliced, Progress: o.progress, Actions: []result.Action{}, Violations: []result.Violation{},
	}
	for k, a := range r.Actions {
		d := result.Action{
			Name: a.Name, Module: a.Module, Environment: a.Environment, Spent: a.Spent, Off: o.off(a.Name),
			Enabled: a.Enabled, Fired: a.Fired, Distinct: a.Distinct,
		}
		_, d.Unused = o.unused(a.Name)
		if r.Simulation != nil {
			d.Instances = &r.Simulation.Instances[k]
		}
		x.Actions = append(x.Actions, d)
	}
	for k, v := range r.Violations {
		d := result.Violation{
			Invariant: v.Invariant, Instance: v.Instance, Kind: v.Kind, Depth: v.Depth, At: v.At, Count: v.Count, Action: lastAction(&v), Doc: v.Doc,
			Origin: v.Origin, Why: v.Why, Counterexample: narrate.BehaviourOf(v.Trace, false),
		}
		if k < len(o.traces) {
			d.Trace = o.traces[k]
		}
		x.Violations = append(x.Violations, d)
	}
	if r.Simulation != nil {
		x.Simulation = simulationOf(o)
	}
	return x
}

// simulationOf is what was asked and found of random walks.
func simulationOf(o *Run) *result.Simulation {
	asked, s := o.request.Options.Simulate, o.Report.Simulation
	return &result.Simulation{
		Seed: s.Seed, Depth: asked.Depth, Number: asked.Number, Learned: asked.Learned, Weights: asked.Weights,
		Walks: s.Walks, Steps: s.Steps, Abstractions: s.Abstractions, Full: s.Full, Ends: s.Ends, Coverage: s.Coverage,
	}
}

// lastAction is the action that broke the property; "" where it is broken in an initial state, and for a deadlock.
func lastAction(v *wire.Violation) string {
	if v.Trace == nil || len(v.Trace.Steps) == 0 || v.Kind == "deadlock" {
		return ""
	}
	return v.Trace.Steps[len(v.Trace.Steps)-1].Action
}

// Named says which manifest a document is about.
func (o *Run) Named(d *result.Document) {
	d.Spec, d.Manifest = o.Manifest.Name(), o.Manifest.Path
}

// Describe fills an outcome into a document, without its diagnostics.
func (o *Run) Describe(d *result.Document) {
	o.Named(d)
	if o.Composition != nil {
		CompositionOf(d, o.Composition)
	}
	if o.Interaction != nil {
		d.Interaction = o.Interaction
	}
	switch {
	case o.Report != nil:
		d.Exploration = explorationOf(o)
	case o.Stopped != "":
		d.Exploration = &result.Exploration{Verdict: "undecided", Stopped: true, Reason: o.Stopped, Actions: []result.Action{}, Violations: []result.Violation{}}
	}
}

// Originate adds to a document what a report says of where it comes from.
func (o *Run) Originate(d *result.Document, at time.Time) {
	version := "unknown"
	if b, ok := debug.ReadBuildInfo(); ok {
		version = b.Main.Version
	}
	host, _ := os.Hostname()
	d.Origin = &result.Origin{At: at.Format(time.DateTime), Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Processors: runtime.NumCPU(), Host: host, Command: strings.Join(os.Args, " ")}
	d.Sources = nil
	for _, name := range slices.Sorted(maps.Keys(o.Manifest.Sources)) {
		if slices.Contains(o.Manifest.Files, name) {
			d.Sources = append(d.Sources, result.Source{File: words.ShortPath(name), Text: string(o.Manifest.Sources[name].Bytes)})
		}
	}
}
