package wire

import (
	"encoding/json"

	"github.com/multigrain/multigrain/modules"
)

// Preserve holds the parameters of "preserve" in addition to MaxStates, Timeout, Memory and Seed.
// The composition of Request.Choice, which has coarse grains, is compared with a fine one.
type Preserve struct {
	Level string          `json:"level"` // "L1" or "L2"
	Fine  json.RawMessage `json:"fine"`  // a grains.Choice
	Steps []PreserveStep  `json:"steps"`
	Looks []PreserveLook  `json:"looks"`
	// Kept are the variables that coarse grains must keep, and Written those that actions of the
	// coarsened modules write.
	Kept    []string `json:"kept,omitempty"`
	Written []string `json:"written,omitempty"`
	// Deadlock says that deadlocks are compared at level L2. Liveness properties are those of the
	// choice.
	Deadlock bool `json:"deadlock,omitempty"`
	// Rest are the fields of the State that the compared modules do not use, and Looked those of
	// them that invariants read: see preserve.Weakest. Lacks says why there is no comparison in the
	// weakest environment; "" if there is one.
	Rest   []string `json:"rest,omitempty"`
	Looked []string `json:"looked,omitempty"`
	Lacks  string   `json:"lacks,omitempty"`
	// Reads are the accesses, with bookkeeping, of actions that belong to no compared module.
	Reads map[string][]modules.Access `json:"rest_reads,omitempty"`
	// Follow is a behaviour that one composition follows in the other, instead of the comparison;
	// nil: both are compared.
	Follow *PreserveFollow `json:"follow,omitempty"`
}

// PreserveWeakest is a comparison in the weakest environment. Proves says that it shows the
// inclusions of level L2 for the whole compositions. Reason says why it does not.
type PreserveWeakest struct {
	NoFalse  bool     `json:"no_false"`
	NoMissed bool     `json:"no_missed"`
	Reason   string   `json:"reason,omitempty"`
	States   [2]int64 `json:"states"`
}

// PreserveFollow is a behaviour of one composition. If it is missed, the fine composition has it
// and the coarse one follows it.
type PreserveFollow struct {
	Missed bool   `json:"missed"`
	Trace  *Trace `json:"trace"`
	// Property asks whether the composition that follows violates it with the same observations.
	// Only states with these are examined then. "": all states are explored first.
	Property string `json:"property,omitempty"`
	// Search looks for violations of the fine composition after the behaviour, or from its initial
	// states if Trace is nil. Nothing is followed then.
	Search bool `json:"search,omitempty"`
}

// PreserveFollowed is how far the other composition follows a behaviour.
type PreserveFollowed struct {
	// Complete says that all states of the composition that follows were explored. Otherwise
	// nothing else is known.
	Complete bool  `json:"complete"`
	States   int64 `json:"states"`
	// Step is the number of the first step of the behaviour, from 1, whose observation it cannot
	// have after those before; 0: it has all of them.
	Step int `json:"step,omitempty"`
	// Violated says that it violates the property that was asked for. Trace leads there.
	Violated bool `json:"violated,omitempty"`
	// Violation describes the one that a search found; nil for none. Its trace leads there.
	Violation *Violation `json:"violation,omitempty"`
	// Difference is about that step, or about the last one. Its trace ends there, and is nil if a
	// property was asked for. Then Enabled says that the step's action can be taken with other
	// values.
	Difference *Difference `json:"difference,omitempty"`
	Enabled    bool        `json:"enabled,omitempty"`
	// Trace is a behaviour of the composition that follows, with the observations before Step.
	Trace *Trace `json:"trace,omitempty"`
}

// PreserveStep is a visible action and what it reads.
type PreserveStep struct {
	Action      string           `json:"action"`
	Environment bool             `json:"environment,omitempty"`
	Reads       []modules.Access `json:"reads"`
	// Picks, Hidden and Quiet are those of interaction.StepView.
	Picks  []modules.Pick `json:"picks,omitempty"`
	Hidden []string       `json:"hidden,omitempty"`
	Quiet  bool           `json:"quiet,omitempty"`
}

// PreserveLook is an invariant as an observer.
type PreserveLook struct {
	Name  string           `json:"name"`
	Kind  string           `json:"kind"`
	On    string           `json:"on,omitempty"` // the action whose steps it is about
	Reads []modules.Access `json:"reads,omitempty"`
	Picks []modules.Pick   `json:"picks,omitempty"`
}

// Preservation is the result of "preserve". Fields are those of preserve.Result; where there are
// two of something, the first is that of the fine composition.
type Preservation struct {
	Level   string      `json:"level"`
	Reason  string      `json:"reason,omitempty"`
	Asked   string      `json:"asked"`
	Sides   [2]Compared `json:"sides"`
	L1      Inclusions  `json:"l1"`
	L2      Inclusions  `json:"l2"`
	Views   [2]int      `json:"views"`
	Only    [2]int      `json:"views_only"`
	Looks   []Seen      `json:"looks"`
	Endings []Ending    `json:"endings,omitempty"` // that were compared
	// Unasked are branches of invariants that the fine composition takes and the coarse one does
	// not. It is empty unless all states of the coarse one were explored.
	Unasked     []Untaken    `json:"unasked,omitempty"`
	Differences []Difference `json:"differences"`
	Walks       int64        `json:"walks,omitempty"`
	Seconds     float64      `json:"seconds"`
	// Weakest is the comparison in the weakest environment; nil if it was not needed.
	Weakest *PreserveWeakest `json:"weakest,omitempty"`
	// Followed is all that a request with a behaviour reports.
	Followed *PreserveFollowed `json:"followed,omitempty"`
}

// Compared is one of the compositions.
type Compared struct {
	States      int64          `json:"states"`
	Transitions int64          `json:"transitions"`
	Depth       int            `json:"depth"`
	Complete    bool           `json:"complete"`
	Classes     int            `json:"classes,omitempty"`
	Budgets     []PreserveSpan `json:"budgets,omitempty"`
}

// PreserveSpan is a budget and how much of it was spent at most.
type PreserveSpan struct {
	Bound string `json:"bound"`
	Max   int    `json:"max"` // negative: no limit
	Spent int    `json:"spent"`
	// Silent says that only silent actions spend it: it is projected away.
	Silent bool `json:"silent,omitempty"`
}

// Inclusions are the answers of a level: yes, no or undecided.
type Inclusions struct {
	NoFalse  string `json:"no_false"`
	NoMissed string `json:"no_missed"`
	Pairs    [2]int `json:"pairs"`
	Largest  [2]int `json:"largest"`
}

// Seen counts what an invariant saw.
type Seen struct {
	Name   string `json:"name"`
	Seen   [2]int `json:"seen"`
	Only   [2]int `json:"only"`
	Broken [2]int `json:"broken"`
	// Held counts the values of states that only the coarse composition reaches and for which the
	// invariant holds: no difference. Extra shows one.
	Held  int          `json:"held,omitempty"`
	Extra []ExtraValue `json:"extra,omitempty"`
}

// ExtraValue is a cell of an invariant's footprint with its value in a state of the coarse
// composition, and in the nearest state of the fine one.
type ExtraValue struct {
	Cell  string `json:"cell"`
	Here  string `json:"here"`
	There string `json:"there"`
}

// Ending is a deadlock or a liveness property that was compared, with the number of states in which
// behaviours of each composition can end in it.
type Ending struct {
	Name     string   `json:"name"`               // the ID of the property, or deadlock
	Instance string   `json:"instance,omitempty"` // the value of the property's parameter
	Kind     string   `json:"kind" enum:"deadlock liveness"`
	States   [2]int64 `json:"states"`
}

// Sight is who sees a difference, and in which variable.
type Sight struct {
	Observer string `json:"observer"`
	Variable string `json:"variable,omitempty"`
	Cause    string `json:"cause,omitempty"` // the last silent step of its own witness
	// as in Difference
	Lacking string `json:"lacking,omitempty"`
	Refused bool   `json:"refused,omitempty"`
	// Missing are the observations that it shows.
	Missing []Fingerprint `json:"missing,omitempty"`
}

// Difference is a behaviour that one composition has and the other lacks.
type Difference struct {
	Missed      bool   `json:"missed"` // the fine composition has it; else it is false
	Level       string `json:"level"`
	Observer    string `json:"observer"`
	Environment bool   `json:"environment,omitempty"`
	// deadlock or liveness; then the trace ends in that state
	Ending   string        `json:"ending,omitempty"`
	Cell     string        `json:"cell,omitempty"`
	Variable string        `json:"variable,omitempty"`
	Here     *modules.View `json:"here,omitempty"`
	There    *modules.View `json:"there,omitempty"`
	// number of the trace's step that wrote the cell last
	Writer int    `json:"writer,omitempty"`
	Walked bool   `json:"walked,omitempty"` // the witness comes from a random walk
	Count  int    `json:"count"`
	Doc    string `json:"doc,omitempty"`
	// the action of the trace's last step that nobody observes
	Cause     string `json:"cause,omitempty"`
	CauseStep int    `json:"cause_step,omitempty"` // and its number
	// who else sees a difference of this cause
	Also []Sight `json:"also,omitempty"`
	// Guilty is the number of the trace's step that is to blame, from 1.
	Guilty int `json:"guilty,omitempty"`
	// Lacking is the coarse action that should have led to what is missed. Refused says that its
	// guard did not let it.
	Lacking string `json:"lacking,omitempty"`
	Refused bool   `json:"refused,omitempty"`
	Trace   *Trace `json:"trace"`
	// Extent is how many observations show the difference, and Missing lists them.
	Extent  *Extent   `json:"extent,omitempty"`
	Missing []Missing `json:"missing,omitempty"`
}

// Refine holds the parameters of "refine". The composition of Request.Choice is the concrete one.
type Refine struct {
	Abstract json.RawMessage `json:"abstract"` // a grains.Choice
	// Variables are the variables of the abstract State that are mapped.
	Variables []RefineVariable `json:"variables"`
	Actions   []RefineAction   `json:"actions,omitempty"`
	// Walks and Depth say how many random walks are taken where a limit ends the exploration, and
	// how many steps each has; 0 for the defaults of abstraction.Options.
	Walks int64 `json:"walks,omitempty"`
	Depth int   `json:"depth,omitempty"`
	// Weights and Waypoints guide these walks: they are those of Simulate and of AskedStrategy.
	Weights   map[string]float64 `json:"weights,omitempty"`
	Waypoints []json.RawMessage  `json:"waypoints,omitempty"`
}

// RefineVariable is a mapped variable. Formula, of type trace.Formula, is its value as an
// expression about the concrete State; nil where the program's mapping function sets it.
type RefineVariable struct {
	Name    string          `json:"name"`
	Formula json.RawMessage `json:"formula,omitempty"`
}

// RefineAction says that a concrete action is observed as an abstract one.
type RefineAction struct {
	Concrete string `json:"concrete"`
	Abstract string `json:"abstract"`
}

// Refined is the result of "refine". Fields are those of abstraction.Result. Of two sides, the
// first is the concrete one.
type Refined struct {
	Complete  bool           `json:"complete"`
	Sides     [2]RefinedSide `json:"sides"`
	Pairs     int            `json:"pairs"`
	Largest   int            `json:"largest"`
	Values    int            `json:"values"`
	Silent    int64          `json:"silent"`
	Visible   int64          `json:"visible"`
	Taken     []RefinedTaken `json:"taken,omitempty"`
	Raised    int64          `json:"raised,omitempty"`
	Walks     int64          `json:"walks,omitempty"`
	Steps     int64          `json:"steps,omitempty"`     // of the walks
	Ended     string         `json:"ended,omitempty"`     // the limit that ended the walks early
	Waypoints int            `json:"waypoints,omitempty"` // of the manifest
	Met       int            `json:"met,omitempty"`       // the most that a walk met
	// Followed counts walks that met all of them, and only these are compared.
	Followed int64   `json:"followed,omitempty"`
	Seconds  float64 `json:"seconds"`
	// Problems say what is wrong with the mapping. Then there is nothing else.
	Problems   []RefineProblem    `json:"problems,omitempty"`
	Difference *RefinedDifference `json:"difference,omitempty"`
}

// RefinedSide is the explored part of a composition.
type RefinedSide struct {
	States      int64 `json:"states"`
	Transitions int64 `json:"transitions"`
	Depth       int   `json:"depth"`
}

// RefinedTaken counts the explored concrete steps of an observed action.
type RefinedTaken struct {
	Action string `json:"action"` // of the abstract composition
	Count  int64  `json:"count"`
}

// RefineProblem says what is wrong with a mapping.
type RefineProblem struct {
	Variable string `json:"variable,omitempty"` // "": the mapping as a whole
	Message  string `json:"message"`            // a sentence without its period
	// Trace leads to the state before the step to the one that cannot be mapped; nil if that is an
	// initial one, or the mapping is wrong in any state.
	Trace *Trace `json:"trace,omitempty"`
}

// RefinedDifference is a concrete behaviour whose last step the abstract composition cannot match.
type RefinedDifference struct {
	Concrete *Trace `json:"concrete"`
	Silent   []bool `json:"silent"` // by step of Concrete
	// Mapped are the values that the states of Concrete are mapped to, the initial one first, as
	// records of the mapped variables.
	Mapped []modules.View `json:"mapped"`
	// Sets are the numbers of abstract states with the same observation, as Mapped.
	Sets []int `json:"sets"`
	// Abstract is a behaviour with the observations before the last step; nil if the initial state
	// is the difference. Matches has the step of Concrete that each of its steps matches, from 1; 0
	// for a silent one.
	Abstract *Trace `json:"abstract,omitempty"`
	Matches  []int  `json:"matches,omitempty"`
	// Could are the visible steps that the abstract composition can take instead.
	Could  []string `json:"could,omitempty"`
	Walked bool     `json:"walked,omitempty"`
}
