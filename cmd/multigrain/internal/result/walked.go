package result

import (
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// Walked is a composition in which changed code was walked.
type Walked struct {
	Modules []Module `json:"modules"`
	// Switched says that options or bounds are not as the manifest has them, since grains or
	// changed code need others.
	Switched bool      `json:"switched"`
	Options  []Setting `json:"options"` // that differ from the manifest
	Bounds   []Setting `json:"bounds"`  // of the walks that differ from the manifest
	// Within are all bounds of the walks that limit something.
	Within  []Setting `json:"within"`
	Stands  []Stands  `json:"stands"`
	Seed    uint64    `json:"seed"`
	Walks   int64     `json:"walks"`
	Steps   int64     `json:"steps"`
	Departs int64     `json:"departs"`
	Seconds float64   `json:"seconds"` // of the walks, without building
	// Unfired are actions of touched modules that no walk took here. LeftOut are steps that the
	// adapter cannot drive.
	Unfired  []string       `json:"unfired"`
	LeftOut  []wire.LeftOut `json:"left_out"`
	Branches int            `json:"branches"` // of guards, effects and rules that were taken
	Of       int            `json:"branches_of"`
	// Reason says why the walks decide nothing, or less.
	Reason   string `json:"reason,omitempty"`
	Manifest string `json:"manifest,omitempty"` // its text; absent for the manifest itself
}

// Stands is a module whose grain in walks stands for the coarse one that is composed.
type Stands struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	For    string `json:"for"`
}

// Checked is the result of the model checker on the composition for a change.
type Checked struct {
	Verdict  verdicts.Word `json:"verdict" enum:"holds violated undecided"`
	Reason   string        `json:"reason,omitempty"`
	Distinct int64         `json:"distinct"` // states
	Seconds  float64       `json:"seconds"`
	// Invariant names the violated property, and Kind its kind.
	Invariant string `json:"invariant,omitempty"`
	Kind      string `json:"kind,omitempty"`
	Trace     string `json:"trace,omitempty"` // path of the ITF file
	// Finer says whether the violation is one of the fine composition, too; nil without coarse
	// grains.
	Finer *FinerAnswer `json:"finer,omitempty"`
	// Known are the invariants that the specification of the version before the change violates,
	// too. They were left out.
	Known []string `json:"known"`
}

// Seeded is the result of walks with one of several seeds.
type Seeded struct {
	Seed    uint64 `json:"seed"`
	Verdict string `json:"verdict" enum:"holds violated undecided nothing-found"`
	Reason  string `json:"reason,omitempty"`
	// Found is the property that is violated; of an implementation it is the variable that
	// differs, or the kind of the difference.
	Found   string  `json:"found,omitempty"`
	Walks   int64   `json:"walks"`
	Steps   int64   `json:"steps"`
	Seconds float64 `json:"seconds"`
	// Processor is the processor time of the program in seconds, with its start; it is absent where
	// the system does not tell it.
	Processor float64 `json:"processor_seconds,omitempty"`
}

// Likely says how likely walks from each step of a trace meet its violation.
type Likely struct {
	Trace    string `json:"trace"`    // path of the ITF file
	Property string `json:"property"` // that it violates
	// Walks is how many walks were asked for from each step; 0: as many as fit into the time.
	Walks int64        `json:"walks"`
	Steps []LikelyStep `json:"steps"`
	// Behaviour is the trace itself, for its page.
	Behaviour *Behaviour `json:"-"`
}

// LikelyStep is the estimate after a step of a trace. Step 0 is the initial state. The last step
// has the violation, so no walks are taken there.
type LikelyStep struct {
	Step   int    `json:"step"`
	Action string `json:"action,omitempty"`
	Walks  int64  `json:"walks"`
	Met    int64  `json:"met"` // walks that met the violation
	// Probability is the share of them, from 0 to 1. Low and High are the ends of its interval of
	// 95 %.
	Probability float64 `json:"probability"`
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
	// Jump says that the interval has nothing in common with that of the step before.
	Jump string `json:"jump,omitempty" enum:"up down"`
}
