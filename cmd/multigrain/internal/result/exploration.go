package result

import (
	"github.com/multigrain/multigrain/checker/wire"
)

// ReasonRaised is the kind of a reason that is an assertion being raised, which is no condition.
const ReasonRaised = "raise"

// Exploration is the part of a document that an exploration fills.
type Exploration struct {
	Verdict string `json:"verdict" enum:"holds violated undecided"`
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
	POR        *wire.Reduced `json:"por,omitempty"`
	Actions    []Action      `json:"actions"`
	Violations []Violation   `json:"violations"`
	Simulation *Simulation   `json:"simulation,omitempty"`
	// Liveness is what checking liveness properties took.
	Liveness *wire.Liveness `json:"liveness,omitempty"`
	// Progress are samples of the run, where a report was asked for.
	Progress []wire.Progress `json:"progress,omitempty"`
	// Checkpoint is what became of checkpoints, where one was asked for.
	Checkpoint *wire.Checkpointed `json:"checkpoint,omitempty"`
}

// Simulation is what was asked of random walks, and what of them is reported beside what they share with an exploration.
// Instances are the actions', origins the violations'.
type Simulation struct {
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

type Action struct {
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

type Violation struct {
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
	Counterexample *Behaviour `json:"counterexample,omitempty"`
}

// InteractionCodes begin the codes of findings about interaction preservation.
const InteractionCodes = "MG21"

// Name is the name of what is violated.
func (v *Violation) Name() string {
	switch {
	case v.Invariant == "":
		return v.Kind
	case v.Instance == "":
		return v.Invariant
	}
	return v.Invariant + "." + v.Instance
}
