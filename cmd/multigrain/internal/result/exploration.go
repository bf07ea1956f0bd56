package result

import (
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// ReasonRaised is the kind of a reason that is an assertion being raised, which is no condition.
const ReasonRaised = "raise"

// Exploration is the part of a document that an exploration fills.
type Exploration struct {
	// The verdicts of each verb are those of docs/reference/verdicts.md.
	Verdict verdicts.Word `json:"verdict" enum:"holds violated undecided nothing-found"`
	// Completed says that all states were explored, or all walks taken, without a violation. The
	// verdict may still be undecided, since the result says too little.
	Completed bool `json:"completed,omitempty"`
	// CoarseLevel says how the coarse grains were compared, and within which bounds.
	CoarseLevel string `json:"coarse_level,omitempty" verbs:"check change"`
	// Finer says whether a counterexample is one of the fine composition, too, with -finer.
	Finer *FinerAnswer `json:"finer,omitempty" verbs:"check change"`
	// Coarse are the coarse grains of a composition that is violated, as module/grain: one of them
	// may be the cause.
	Coarse []string `json:"coarse,omitempty" verbs:"check change"`
	// Unchecked says that no invariant and no property was selected, and no search for deadlocks.
	// The verdict is undecided then.
	Unchecked bool `json:"unchecked,omitempty"`
	// Stopped says that the exploration did not begin, or ended without a report. The reason
	// is all that is known then.
	Stopped   bool   `json:"stopped,omitempty"`
	Reason    string `json:"reason,omitempty"`
	Distinct  int64  `json:"distinct"`
	Generated int64  `json:"generated"`
	// of these, states counted without being made
	Pruned      int64         `json:"spared,omitempty"`
	Depth       int           `json:"depth"`
	Seconds     float64       `json:"seconds"`
	Workers     int           `json:"workers"`
	Digest      string        `json:"digest"`
	Collision   float64       `json:"collision_probability"`
	Observed    float64       `json:"collision_observed,omitempty"`
	Fingerprint int           `json:"fingerprint_bits,omitempty"`
	Levels      []int64       `json:"levels,omitempty"`
	Memory      int64         `json:"memory"`               // bytes, the most during the search
	MemoryEnd   int64         `json:"memory_end,omitempty"` // bytes at the end of the search
	Disk        int64         `json:"disk,omitempty"`
	StateBytes  int           `json:"state_bytes"`
	Masked      int64         `json:"masked,omitempty"`
	MaskedBy    []wire.Masked `json:"masked_assertions,omitempty"`
	Invariants  []string      `json:"invariants"`
	Sliced      []string      `json:"sliced,omitempty"` // variables left out of the state
	// Vacuous lists properties and conditions that the manifest declares as never asked here, and
	// that the run did not ask.
	Vacuous     []string `json:"vacuous,omitempty"`
	GoalsMissed []string `json:"goals_missed,omitempty"`
	// Symmetry is the result of symmetry reduction, where that was asked for.
	Symmetry *wire.Symmetric `json:"symmetry,omitempty"`
	// POR is the result of partial-order reduction, where that was asked for.
	POR *wire.Reduced `json:"por,omitempty"`
	// Branches are the branches of the invariants, and of functions that only invariants call. A
	// branch that only a violation takes does not count.
	Branches   *wire.Branches `json:"invariant_branches,omitempty"`
	Actions    []Action       `json:"actions"`
	Violations []Violation    `json:"violations"`
	Simulation *Simulation    `json:"simulation,omitempty"`
	// Liveness is the effort of checking liveness properties.
	Liveness *wire.Liveness `json:"liveness,omitempty"`
	// Progress are samples of the run, where a report was asked for.
	Progress []wire.Progress `json:"progress,omitempty"`
	// Checkpoint is the last checkpoint, where one was asked for.
	Checkpoint *wire.Checkpointed `json:"checkpoint,omitempty"`
	// On says on what a search in parts ran, where one was asked for.
	On *wire.On `json:"on,omitempty"`
}

// Unexplored returns what is known of an exploration that did not begin, or ended without a report.
func Unexplored(reason string) *Exploration {
	return &Exploration{Verdict: verdicts.Undecided, Stopped: true, Reason: reason, Actions: []Action{}, Violations: []Violation{}}
}

// Complete reports whether the exploration ended by itself, and not at a violation or a limit. A
// run that -strict or -allow-broken makes undecided is complete.
func (x *Exploration) Complete() bool {
	return x.Completed || x.Verdict == verdicts.Holds || x.Verdict == verdicts.NothingFound
}

// Simulation holds the settings of random walks and their coverage. What walks share with an
// exploration is in Exploration: instances with the actions, origins with the violations.
type Simulation struct {
	Seed  uint64 `json:"seed"`
	Depth int    `json:"depth"` // steps of a walk, at most
	// walks asked for; 0: as many as the timeout allows
	Number  int64              `json:"number"`
	Learned bool               `json:"learned,omitempty"`
	Hash    string             `json:"hash,omitempty"` // by which learned weights know a state
	Weights map[string]float64 `json:"weights,omitempty"`
	Walks   int64              `json:"walks"`
	Steps   int64              `json:"steps"`
	// Processor is the processor time of the program in seconds, with its start; it is absent where
	// the system does not tell it.
	Processor    float64         `json:"processor_seconds,omitempty"`
	Abstractions int64           `json:"abstractions"` // sets of enabled actions
	Full         bool            `json:"full,omitempty"`
	Ends         wire.Ends       `json:"ends"`
	Coverage     []wire.Coverage `json:"coverage"`
	// Strategy drew the steps of the walks, if weights alone did not.
	Strategy *wire.Strategy `json:"strategy,omitempty"`
}

// Action counts an action.
type Action struct {
	Name        string `json:"name"`
	Module      string `json:"module"`
	Environment bool   `json:"environment,omitempty"`
	Spent       bool   `json:"spent,omitempty"` // its budget is 0
	// options or bounds make its guard false in every state
	Off      bool  `json:"off,omitempty"`
	Unused   bool  `json:"unused,omitempty"` // the manifest says that it is never enabled
	Enabled  int64 `json:"enabled"`
	Fired    int64 `json:"fired"`
	Distinct int64 `json:"distinct"`
	// Instances counts the instances that walks fired, and all.
	Instances *wire.Fired `json:"instances,omitempty"`
}

// Violation is a violated property, or a deadlock.
type Violation struct {
	Invariant string `json:"invariant"`
	Instance  string `json:"instance,omitempty"`
	Kind      string `json:"kind"`
	Depth     int    `json:"depth"`
	At        int64  `json:"distinct_at"`
	Trace     string `json:"trace,omitempty"` // path of the ITF file
	Count     int64  `json:"count,omitempty"`
	// Action is the last action; it is absent for a deadlock and for an initial state.
	Action string `json:"action,omitempty"`
	Doc    string `json:"doc,omitempty"`
	// Why says which condition of the property was false, with -explain.
	Why []wire.Reason `json:"why,omitempty"`
	// Origin is the walk that a counterexample was shrunk from.
	Origin *wire.Origin `json:"origin,omitempty"`
	// Counterexample is the behaviour that violates the property, step by step.
	Counterexample *Behaviour `json:"counterexample,omitempty"`
}

// AboutInteraction reports whether a code is that of a finding about interaction preservation.
func AboutInteraction(code string) bool {
	return strings.HasPrefix(code, "MG21") || strings.HasPrefix(code, "MG23") || code == "MG240" || code == "MG242"
}

// Name returns the name of what is violated.
func (v *Violation) Name() string {
	switch {
	case v.Invariant == "":
		return v.Kind
	case v.Instance == "":
		return v.Invariant
	}
	return v.Invariant + "." + v.Instance
}

// Answers of FinerAnswer.
const (
	Confirmed  = string(verdicts.Confirmed)
	Spurious   = "spurious"
	Unfollowed = string(verdicts.Undecided)
	Nothing    = "clean"
)

// FinerAnswer says what became of a counterexample in the fine composition, and what is after the
// accepted gaps. Without a counterexample, confirmed is a violation after a gap, and clean is that
// there is none.
type FinerAnswer struct {
	Verdict  string `json:"verdict" enum:"confirmed spurious undecided clean"`
	Property string `json:"property,omitempty"`
	// Grains are those of the fine composition that stand for coarse ones, as module/grain.
	Grains []string `json:"grains"`
	// Baseline says that no coarse grain is left in it.
	Baseline bool  `json:"baseline"`
	States   int64 `json:"states"` // of the fine composition, with the observations
	// Step is the first step that the fine composition cannot do, from 1, and Action that step. 0:
	// it has all observations, or the answer is another one.
	Step   int    `json:"step,omitempty"`
	Action string `json:"action,omitempty"`
	// Because says why the fine composition cannot do Step.
	Because string `json:"because,omitempty"`
	// Cause is the last step of a coarse grain before, and CauseStep its number.
	Cause     string `json:"cause,omitempty"`
	CauseStep int    `json:"cause_step,omitempty"`
	Reason    string `json:"reason"`
	// Constraints are those that the fine composition was followed within and that only grains
	// offer which it replaces.
	Constraints []string `json:"constraints,omitempty"`
	// Tried are the answers of other compositions: with finer grains of one module after the other.
	Tried []FinerTry `json:"tried,omitempty"`
	// Spurious counts the counterexamples that are none of the fine composition.
	Spurious int `json:"spurious,omitempty"`
	// Counterexample is the path of the trace that was followed, and Trace that of the fine
	// behaviour to the violation.
	Counterexample string `json:"counterexample,omitempty"`
	Trace          string `json:"trace,omitempty"`
	// Behaviour is that of the fine composition: to the violation, or up to Step.
	Behaviour *Behaviour `json:"behaviour,omitempty"`
	// Searched describes the exploration of the fine composition from its initial states: after all
	// counterexamples were spurious, or if a limit ended a search after a gap. Gaps are the
	// searches after accepted gaps.
	Searched *FinerSearch  `json:"searched,omitempty"`
	Gaps     []FinerSearch `json:"gaps,omitempty"`
}

// FinerTry is the answer of a composition with some finer grains.
type FinerTry struct {
	// Of are the finer grains of the composition whose behaviour was followed; missing: it was the
	// counterexample.
	Of      []string `json:"of,omitempty"`
	Grains  []string `json:"grains"` // those that stand for coarse ones
	Verdict string   `json:"verdict" enum:"confirmed spurious undecided"`
	Step    int      `json:"step,omitempty"`
	States  int64    `json:"states"`
	Reason  string   `json:"reason"`
}

// FinerSearch is a search for violations in the fine composition.
type FinerSearch struct {
	Gap string `json:"gap,omitempty"` // the observed action of the missed behaviour
	// Depth is the number of steps of that behaviour, or 0 for a search from the initial states.
	Depth  int   `json:"depth"`
	States int64 `json:"states"`
	// Complete says that all states after the behaviour were examined, or that a property is
	// violated.
	Complete bool   `json:"complete"`
	Property string `json:"property,omitempty"` // that is violated; "": none is
	Steps    int    `json:"steps,omitempty"`    // to the violation
	Reason   string `json:"reason,omitempty"`   // why nothing was searched
}
