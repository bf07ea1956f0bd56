package session

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
)

// CompositionOf fills in the system, modules, bounds and options of a composition.
func CompositionOf(d *result.Document, c *compose.Composition) {
	d.System = c.Catalog.System
	d.Modules = nil
	for _, m := range c.Modules {
		d.Modules = append(d.Modules, result.Module(m))
	}
	d.Bounds, d.Options = nil, nil
	for _, b := range c.Catalog.Bounds {
		if n, ok := c.Choice.Budgets[b.Name]; ok {
			d.Bounds = append(d.Bounds, result.Bound{Name: b.Name, Value: n})
		}
	}
	for _, o := range c.Catalog.Options {
		value := c.Constants[o.Const]
		if text, err := strconv.Unquote(value); err == nil {
			value = text
		}
		if value != "" {
			d.Options = append(d.Options, result.Setting{Name: o.Name, Value: value})
		}
	}
}

// explorationOf returns the report of an outcome as the document has it.
func explorationOf(r *Run) *result.Exploration {
	rep := r.Report
	x := &result.Exploration{
		Verdict: rep.Verdict, Reason: rep.Reason, Distinct: rep.Distinct, Generated: rep.Generated, Pruned: rep.Pruned, Depth: rep.Depth, Seconds: rep.Seconds,
		Workers: rep.Workers, Digest: rep.Digest, Collision: rep.Collision, Observed: rep.Observed, Fingerprint: rep.Fingerprint, Levels: rep.Levels, Memory: rep.Memory, MemoryEnd: rep.MemoryEnd, Disk: rep.Disk, StateBytes: rep.NodeBytes,
		Masked: rep.Masked, MaskedBy: rep.MaskedBy, Liveness: rep.Liveness, Invariants: rep.Invariants, GoalsMissed: rep.GoalsMissed, Checkpoint: rep.Checkpoint, On: rep.On,
		Finer: r.Finer, Symmetry: rep.Symmetry, POR: rep.POR, Sliced: r.request.Options.Sliced, Progress: r.progress, Unchecked: r.unchecked(), Vacuous: r.vacuousHere(), Completed: r.completed, Actions: []result.Action{}, Violations: []result.Violation{},
	}
	if rep.Verdict == string(verdicts.Violated) && r.request.Verb == "check" {
		for _, g := range r.Composition.Chosen() {
			if g.Coarsens {
				x.Coarse = append(x.Coarse, g.Covers[0]+"/"+g.Name)
			}
		}
		if x.Coarse != nil {
			x.CoarseLevel = r.coarseLevel()
		}
	}
	for k, a := range rep.Actions {
		d := result.Action{
			Name: a.Name, Module: a.Module, Environment: a.Environment, Spent: a.Spent, Off: r.off(a.Name),
			Enabled: a.Enabled, Fired: a.Fired, Distinct: a.Distinct,
		}
		_, d.Unused = r.unused(a.Name)
		if rep.Simulation != nil {
			d.Instances = &rep.Simulation.Instances[k]
		}
		x.Actions = append(x.Actions, d)
	}
	known := narrate.KnownOf(r.Composition.Catalog)
	for k, v := range rep.Violations {
		d := result.Violation{
			Invariant: v.Invariant, Instance: v.Instance, Kind: v.Kind, Depth: v.Depth, At: v.At, Count: v.Count, Action: lastAction(&v), Doc: v.Doc,
			Origin: v.Origin, Why: v.Why, Counterexample: narrate.BehaviourOf(v.Trace, known, false),
		}
		if v.Origin != nil && d.Counterexample != nil {
			d.Counterexample.Sections = v.Origin.Sections
		}
		if k < len(r.traces) {
			d.Trace = r.traces[k]
		}
		x.Violations = append(x.Violations, d)
	}
	x.Branches = shortened(rep.Branches)
	if rep.Simulation != nil {
		x.Simulation = simulationOf(r)
	}
	return x
}

// coarseLevel says how the coarse grains were compared with the fine ones, and within which bounds.
// It has the result of the verb interaction on this machine, or else that of the lock file. Without
// either, footprints alone were compared.
func (r *Run) coarseLevel() string {
	if x := r.Interaction; x != nil && x.Stored != nil {
		return comparedText(x.Stored.Level, x.Stored.Verdict, differing(r.Composition, x.Stored.Bounds), x.Stored.Bounds)
	}
	if d, diags := r.Kept(r.Manifest.Path); d != nil && !diags.HasErrors() {
		return comparedText(d.Level, d.Verdict, differing(r.Composition, d.Bounds), d.Bounds)
	}
	return "compared by footprints only, level L0"
}

// comparedText says what a comparison found, and which bounds were smaller.
func comparedText(level, verdict string, other []result.OtherBound, bounds string) string {
	text := fmt.Sprintf("compared at level %s within %s: %s", level, bounds, verdict)
	if smaller := slices.DeleteFunc(slices.Clone(other), func(b result.OtherBound) bool { return !b.Exceeds() }); len(smaller) > 0 {
		text += fmt.Sprintf("; larger here: %s", strings.Join(result.BoundsText(smaller, level), ", "))
	}
	return text
}

// simulationOf returns the settings of random walks and their coverage.
func simulationOf(r *Run) *result.Simulation {
	asked, s := r.request.Options.Simulate, r.Report.Simulation
	return &result.Simulation{
		Seed: s.Seed, Depth: asked.Depth, Number: asked.Number, Learned: asked.Learned, Hash: asked.Hash, Weights: asked.Weights,
		Walks: s.Walks, Steps: s.Steps, Processor: r.Report.Processor, Abstractions: s.Abstractions, Full: s.Full, Ends: s.Ends, Coverage: s.Coverage, Strategy: s.Strategy,
	}
}

// shortened returns branches with paths as messages show them.
func shortened(b *wire.Branches) *wire.Branches {
	if b != nil {
		for k := range b.Missing {
			b.Missing[k].File = words.ShortPath(b.Missing[k].File)
		}
	}
	return b
}

// lastAction returns the action that broke the property; "" where it is broken in an initial state,
// and for a deadlock.
func lastAction(v *wire.Violation) string {
	if v.Trace == nil || len(v.Trace.Steps) == 0 || v.Kind == "deadlock" {
		return ""
	}
	return v.Trace.Steps[len(v.Trace.Steps)-1].Action
}

// Named says which manifest a document is about.
func (r *Run) Named(d *result.Document) {
	d.Spec, d.Manifest = r.Manifest.Name(), r.Manifest.Path
}

// Describe fills an outcome into a document, without its diagnostics.
func (r *Run) Describe(d *result.Document) {
	r.Named(d)
	if r.Composition != nil {
		CompositionOf(d, r.Composition)
	}
	if r.Interaction != nil {
		d.Interaction = r.Interaction
		r.lookedCompared(&d.Looked)
	}
	switch {
	case r.Report != nil:
		r.came()
		d.Exploration = explorationOf(r)
		r.explored(&d.Looked)
		d.Settle()
	case r.Stopped != "":
		d.Exploration = result.Unexplored(r.Stopped)
	}
}

// Originate adds to a document what a report says of where it comes from.
func (r *Run) Originate(d *result.Document, at time.Time) {
	host, _ := os.Hostname()
	d.Origin = &result.Origin{At: at.Format(time.DateTime), Version: compose.Recorded(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Processors: runtime.NumCPU(), Host: host, Command: strings.Join(os.Args, " ")}
	r.AddSources(d)
}

// AddSources adds the texts of the manifest's files to a document, each file once.
func (r *Run) AddSources(d *result.Document) {
	for _, name := range slices.Sorted(maps.Keys(r.Manifest.Sources)) {
		short := words.ShortPath(name)
		known := slices.ContainsFunc(d.Sources, func(s result.Source) bool { return s.File == short })
		if slices.Contains(r.Manifest.Files, name) && !known {
			d.Sources = append(d.Sources, result.Source{File: short, Text: string(r.Manifest.Sources[name].Bytes)})
		}
	}
}
