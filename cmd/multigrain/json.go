package main

import (
	"encoding/json"
	"io"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// document is what -json prints. The names of its fields are fixed; fields that do not apply to a verb are absent.
type document struct {
	FormatVersion string `json:"format_version"`
	Verb          string `json:"verb"`
	Spec          string `json:"spec,omitempty"`
	// Manifest is the path of the manifest that the result is about.
	Manifest    string          `json:"manifest,omitempty"`
	System      string          `json:"system,omitempty"`
	Modules     []moduleDoc     `json:"modules,omitempty"`
	Diagnostics []diagnosticDoc `json:"diagnostics"`
	Interaction *interactionDoc `json:"interaction,omitempty"`
	*exploration

	Valid       *bool             `json:"valid,omitempty"`       // validate
	Files       []fileDoc         `json:"files,omitempty"`       // fmt
	Systems     []*grains.Catalog `json:"systems,omitempty"`     // list
	Why         *whyDoc           `json:"why,omitempty"`         // interaction
	Suggestions []suggestionDoc   `json:"suggestions,omitempty"` // interaction -suggest
	Tests       []testDoc         `json:"tests,omitempty"`       // test
	Compared    []comparedDoc     `json:"compared,omitempty"`    // compare
	Skipped     []string          `json:"skipped,omitempty"`     // test: files that are part of a manifest; compare: those that an interrupt left
	Validation  *validationDoc    `json:"validation,omitempty"`  // trace
	Trace       *traceDoc         `json:"trace,omitempty"`       // show
	Change      *codeChangeDoc    `json:"change,omitempty"`      // change
	Conform     *conformDoc       `json:"conform,omitempty"`     // conform, replay
	Program     string            `json:"program,omitempty"`     // build: where it was written
	Requests    []wire.Request    `json:"requests,omitempty"`    // build: what the program is asked with
	Version     string            `json:"version,omitempty"`
	Usage       string            `json:"usage,omitempty"` // help

	Monitor *monitorDoc `json:"monitor,omitempty"` // monitor

	// Origin says when, where and by what the result was made, and Sources are the texts of the
	// manifest's files. Both are there where a report is asked for.
	Origin  *originDoc  `json:"origin,omitempty"`
	Sources []sourceDoc `json:"sources,omitempty"`
}

// originDoc says when, where and by what a result was made.
type originDoc struct {
	At         string `json:"at"` // date and time, local
	Version    string `json:"version"`
	Go         string `json:"go"`
	Platform   string `json:"platform"` // operating system/architecture
	Processors int    `json:"processors"`
	Host       string `json:"host"`
	Command    string `json:"command"`
}

// sourceDoc is a file of a manifest.
type sourceDoc struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// exploration is the part of a document that an exploration fills.
type exploration struct {
	Verdict string `json:"verdict"`
	// Stopped says that the exploration did not begin, or ended without a report. The reason is all
	// that is known then.
	Stopped     bool          `json:"stopped,omitempty"`
	Reason      string        `json:"reason,omitempty"`
	Distinct    int64         `json:"distinct"`
	Generated   int64         `json:"generated"`
	Spared      int64         `json:"spared,omitempty"` // of generated, what was counted without being made
	Depth       int           `json:"depth"`
	Seconds     float64       `json:"seconds"`
	Workers     int           `json:"workers"`
	Digest      string        `json:"digest"`
	Collision   float64       `json:"collision_probability"`
	Observed    float64       `json:"collision_observed,omitempty"`
	Fingerprint int           `json:"fingerprint_bits,omitempty"`
	Levels      []int64       `json:"levels,omitempty"`
	Memory      int64         `json:"memory"`
	MemoryEnd   int64         `json:"memory_end,omitempty"` // bytes at the end of the search
	Disk        int64         `json:"disk,omitempty"`
	StateBytes  int           `json:"state_bytes"`
	Masked      int64         `json:"masked,omitempty"`
	MaskedBy    []wire.Masked `json:"masked_assertions,omitempty"`
	Invariants  []string      `json:"invariants"`
	Sliced      []string      `json:"sliced,omitempty"` // variables left out of the state
	GoalsMissed []string      `json:"goals_missed,omitempty"`
	// Symmetry says how servers were taken to be alike, where that was asked for.
	Symmetry *wire.Symmetric `json:"symmetry,omitempty"`
	// POR says what partial-order reduction left out, where that was asked for.
	POR        *wire.Reduced  `json:"por,omitempty"`
	Actions    []actionDoc    `json:"actions"`
	Violations []violationDoc `json:"violations"`
	Simulation *simulationDoc `json:"simulation,omitempty"`
	// Liveness is what checking liveness properties took.
	Liveness *wire.Liveness `json:"liveness,omitempty"`
	// Progress are samples of the run, where a report was asked for.
	Progress []wire.Progress `json:"progress,omitempty"`
	// Checkpoint is what became of checkpoints, where one was asked for.
	Checkpoint *wire.Checkpointed `json:"checkpoint,omitempty"`
}

// simulationDoc is what was asked of random walks, and what of them is reported beside what they share with an exploration.
// Instances are the actions', origins the violations'.
type simulationDoc struct {
	Seed         uint64             `json:"seed"`
	Depth        int                `json:"depth"`  // asked for; the exploration's is the longest walk's
	Number       int64              `json:"number"` // of walks asked for; 0: as many as fit into the timeout
	Learned      bool               `json:"learned,omitempty"`
	Weights      map[string]float64 `json:"weights,omitempty"`
	Walks        int64              `json:"walks"`
	Steps        int64              `json:"steps"`
	Abstractions int64              `json:"abstractions"` // sets of enabled actions
	Full         bool               `json:"full,omitempty"`
	Ends         wire.Ends          `json:"ends"`
	Coverage     []wire.Coverage    `json:"coverage"`
}

type moduleDoc struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	Target bool   `json:"target"`
	By     string `json:"by,omitempty"` // the module whose block picked the grain, where it is another one
}

// maxExcerpt is the number of lines of a source that a diagnostic shows.
const maxExcerpt = 5

type diagnosticDoc struct {
	Severity string `json:"severity"` // error or warning
	Code     string `json:"code"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	// The end of the range that starts at Line and Column. EndColumn is behind the last character.
	EndLine   int `json:"end_line,omitempty"`
	EndColumn int `json:"end_column,omitempty"`
	// In names the block around the range, and Excerpt are its first lines, at most MaxExcerpt, without
	// control characters.
	In      string       `json:"in,omitempty"`
	Excerpt []string     `json:"excerpt,omitempty"`
	Related []relatedDoc `json:"related,omitempty"`
}

type relatedDoc struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type actionDoc struct {
	Name        string `json:"name"`
	Module      string `json:"module"`
	Environment bool   `json:"environment,omitempty"`
	Spent       bool   `json:"spent,omitempty"`  // its budget is 0
	Off         bool   `json:"off,omitempty"`    // options or bounds make its guard false in every state
	Unused      bool   `json:"unused,omitempty"` // the manifest says that it is never enabled
	Enabled     int64  `json:"enabled"`
	Fired       int64  `json:"fired"`
	Distinct    int64  `json:"distinct"`
	// Instances are those that walks fired, and all.
	Instances *wire.Fired `json:"instances,omitempty"`
}

type violationDoc struct {
	Invariant string `json:"invariant"`
	Instance  string `json:"instance,omitempty"`
	Kind      string `json:"kind"`
	Depth     int    `json:"depth"`
	At        int64  `json:"distinct_at"`
	Trace     string `json:"trace,omitempty"` // path of the ITF file
	Count     int64  `json:"count,omitempty"`
	Action    string `json:"action,omitempty"` // the last one; absent where a deadlock or an initial state is meant
	Doc       string `json:"doc,omitempty"`
	// Why is which condition of the property was false, with -explain.
	Why []wire.Reason `json:"why,omitempty"`
	// Origin is the walk that a counterexample was shrunk from.
	Origin *wire.Origin `json:"origin,omitempty"`
	// Counterexample is the behaviour that violates the property, step by step.
	Counterexample *behaviourDoc `json:"counterexample,omitempty"`
}

// found is what a document says was found, in the words of an expect block.
func (d *document) found() string {
	switch x := d.exploration; {
	case x != nil && len(x.Violations) > 0:
		return "violated " + violationName(&x.Violations[0])
	case x != nil:
		return x.Verdict
	}
	for _, diag := range d.Diagnostics {
		if diag.Severity == "error" {
			return "error " + diag.Code
		}
	}
	if d.Interaction != nil {
		return "interaction " + d.Interaction.Verdict
	}
	return "nothing"
}

// start begins the document of a verb.
func (d *document) start(verb string) {
	*d = document{FormatVersion: "1", Verb: verb, Diagnostics: []diagnosticDoc{}}
}

func (d *document) write(w io.Writer) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	// The document is made of types that JSON can hold. A reader that is gone needs no more of it.
	_ = enc.Encode(d)
}

// composition fills in what a composition is.
func compositionOf(d *document, c *compose.Composition) {
	d.System = c.Catalog.System
	d.Modules = nil
	for _, m := range c.Modules {
		d.Modules = append(d.Modules, moduleDoc(m))
	}
}

// explorationOf is the report of an outcome as the document has it.
func explorationOf(o *outcome) *exploration {
	r := o.report
	x := &exploration{
		Verdict: r.Verdict, Reason: r.Reason, Distinct: r.Distinct, Generated: r.Generated, Spared: r.Spared, Depth: r.Depth, Seconds: r.Seconds,
		Workers: r.Workers, Digest: r.Digest, Collision: r.Collision, Observed: r.Observed, Fingerprint: r.Fingerprint, Levels: r.Levels, Memory: r.Memory, MemoryEnd: r.MemoryEnd, Disk: r.Disk, StateBytes: r.NodeBytes,
		Masked: r.Masked, MaskedBy: r.MaskedBy, Liveness: r.Liveness, Invariants: r.Invariants, GoalsMissed: r.GoalsMissed, Checkpoint: r.Checkpoint,
		Symmetry: r.Symmetry, POR: r.POR, Sliced: o.request.Options.Sliced, Progress: o.progress, Actions: []actionDoc{}, Violations: []violationDoc{},
	}
	for k, a := range r.Actions {
		d := actionDoc{
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
		d := violationDoc{
			Invariant: v.Invariant, Instance: v.Instance, Kind: v.Kind, Depth: v.Depth, At: v.At, Count: v.Count, Action: lastAction(&v), Doc: v.Doc,
			Origin: v.Origin, Why: v.Why, Counterexample: behaviourOf(v.Trace, false),
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
func simulationOf(o *outcome) *simulationDoc {
	asked, s := o.request.Options.Simulate, o.report.Simulation
	return &simulationDoc{
		Seed: s.Seed, Depth: asked.Depth, Number: asked.Number, Learned: asked.Learned, Weights: asked.Weights,
		Walks: s.Walks, Steps: s.Steps, Abstractions: s.Abstractions, Full: s.Full, Ends: s.Ends, Coverage: s.Coverage,
	}
}

// traceDoc is a trace file as show prints it.
type traceDoc struct {
	traceMeta
	File string `json:"file"`
	behaviourDoc
}

// traceMeta is what a trace says about itself besides its states, as itf.Meta has it.
type traceMeta struct {
	Spec           string            `json:"spec,omitempty"`
	System         string            `json:"system,omitempty"`
	Manifest       string            `json:"manifest,omitempty"`
	Variables      map[string]string `json:"variables,omitempty"`
	Modules        []traceModule     `json:"modules,omitempty"`
	Implementation string            `json:"implementation,omitempty"`
	Invariant      string            `json:"invariant,omitempty"`
	Instance       string            `json:"instance,omitempty"`
	Kind           string            `json:"kind,omitempty"`
	Doc            string            `json:"doc,omitempty"`
	Why            []wire.Reason     `json:"why,omitempty"`
}

// traceModule is the grain of one module of a trace.
type traceModule struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	Target bool   `json:"target,omitempty"`
}

// behaviourDoc is a behaviour for people and for pages: the parameters and the changed variables of each
// step, as text.
type behaviourDoc struct {
	Init  []valueDoc `json:"init"`
	Steps []stepDoc  `json:"steps"`
	Loop  *int       `json:"loop,omitempty"` // position of the state that the behaviour goes back to
	// Parts are the smallest parts of the initial state, each a path and a value: with what steps set and
	// remove they give every state.
	Parts   [][2]string `json:"parts"`
	Diagram *diagram    `json:"diagram"`
}

type stepDoc struct {
	Action      string      `json:"action"`
	Call        string      `json:"call"` // action and parameters
	Module      string      `json:"module,omitempty"`
	Server      *int        `json:"server,omitempty"` // the acting one
	Environment bool        `json:"environment,omitempty"`
	Params      []valueDoc  `json:"parameters"`
	Changes     []changeDoc `json:"changes"`
	State       []valueDoc  `json:"state,omitempty"` // with -full
	// Set are the parts that the step sets, each a path and a value. Gone are paths of parts that the step
	// removes, with all parts below them.
	Set  [][2]string `json:"set,omitempty"`
	Gone []string    `json:"gone,omitempty"`
}

type valueDoc struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type changeDoc struct {
	Variable string `json:"variable"`
	Old      string `json:"old"`
	New      string `json:"new"`
	// Queue says what was taken from the front of a sequence and put at its end, where that is the change.
	Queue string `json:"queue,omitempty"`
}

// lastAction is the action that broke the property; "" where it is broken in an initial state, and for a deadlock.
func lastAction(v *wire.Violation) string {
	if v.Trace == nil || len(v.Trace.Steps) == 0 || v.Kind == "deadlock" {
		return ""
	}
	return v.Trace.Steps[len(v.Trace.Steps)-1].Action
}
