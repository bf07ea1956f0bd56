package wire

import (
	"encoding/json"

	"github.com/multigrain/multigrain/modules"
)

// Validate holds the parameters of "trace" in addition to MaxStates and Timeout.
type Validate struct {
	Mapping json.RawMessage `json:"mapping"` // a trace.Mapping
	Logs    []string        `json:"logs"`    // paths of files, read one after the other as one log
	Windows bool            `json:"windows,omitempty"`
}

// Validation is the result of "trace". With problems there is nothing else in it.
type Validation struct {
	Problems []TraceProblem `json:"problems,omitempty"` // of the mapping
	// a line of a log that is none of its format
	BadLine *BadLine `json:"bad_line,omitempty"`

	Events  int            `json:"events"`
	Skipped int            `json:"skipped,omitempty"` // lines that are no events
	Cut     bool           `json:"cut,omitempty"`     // the last line ends in the middle
	Matched int            `json:"matched"`           // events of the longest matched prefix
	Visited int64          `json:"visited"`           // pairs of a position and a state
	Steps   int            `json:"steps"`             // actions of the match or of a longest prefix
	Actions map[string]int `json:"actions"`           // how often each was taken in it
	// Undecided are IDs of the formulas that no event had the fields for.
	Undecided []int `json:"undecided,omitempty"`

	Event      *LoggedEvent     `json:"event,omitempty"` // that was not matched
	Last       []LoggedStep     `json:"last,omitempty"`  // actions before it
	Reached    int              `json:"reached,omitempty"`
	States     []modules.View   `json:"states,omitempty"` // at most four of those reached
	Candidates []TraceCandidate `json:"candidates,omitempty"`
	// Explanations are the ways in which the last events before it can have happened, where there
	// are several.
	Explanations *TraceExplanations `json:"explanations,omitempty"`
	Broken       *TraceBroken       `json:"broken,omitempty"`
	Coverage     []PointCount       `json:"coverage,omitempty"`
	Windows      *TraceWindows      `json:"windows,omitempty"` // with -windows
	// Each is the verdict of each log where logs are validated by themselves; nil for one log.
	Each []TraceLog `json:"each,omitempty"`
}

// TraceLog is the verdict of one of several logs that are validated by themselves.
type TraceLog struct {
	File    string `json:"file"`
	Verdict string `json:"verdict" enum:"holds violated undecided"`
	Reason  string `json:"reason,omitempty"` // of an undecided verdict
	Events  int    `json:"events"`
	Matched int    `json:"matched"`        // events of the longest matched prefix
	Line    int    `json:"line,omitempty"` // of the first event that was not matched
}

// TraceWindows is a trace.Windows.
type TraceWindows struct {
	Passed  int `json:"passed"`  // events
	Refused int `json:"refused"` // events
	// events that were not judged, since the state before them is not known
	Unknown int `json:"unknown"`
	// why the log was not judged to its end; empty if it was
	Reason   string         `json:"reason,omitempty"`
	Actions  []ActionRate   `json:"actions"`
	Refusals []RefusedEvent `json:"refusals,omitempty"`
}

// ActionRate is how many events passed and were refused as an action.
type ActionRate struct {
	Action  string `json:"action"`
	Passed  int    `json:"passed"`
	Refused int    `json:"refused"`
}

// RefusedEvent is an event that was refused, with the first reason of the action that came
// furthest.
type RefusedEvent struct {
	Event  LoggedEvent `json:"event"`
	Kind   string      `json:"kind"`
	Action string      `json:"action,omitempty"`
	Text   string      `json:"text,omitempty"`
	Found  string      `json:"found,omitempty"`
}

// TraceProblem is a trace.Problem.
type TraceProblem struct {
	Formula int      `json:"formula"`
	Rule    int      `json:"rule"`
	Kind    string   `json:"kind"`
	Name    string   `json:"name,omitempty"`
	Message string   `json:"message"`
	Names   []string `json:"names,omitempty"`
	Line    int      `json:"line,omitempty"`
	File    string   `json:"file,omitempty"`
}

// BadLine is a place in a log.
type BadLine struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// LoggedEvent is an event of a log.
type LoggedEvent struct {
	Number int             `json:"number"` // from 1
	File   string          `json:"file"`
	Line   int             `json:"line"`
	Name   string          `json:"name"`
	Node   string          `json:"node,omitempty"`
	Fields json.RawMessage `json:"fields"`
}

// LoggedStep is an action that was treated as an event.
type LoggedStep struct {
	Line     int           `json:"line"`
	Event    string        `json:"event"`
	Action   string        `json:"action"`
	Params   *modules.View `json:"params,omitempty"`
	Unlogged bool          `json:"unlogged,omitempty"`
}

// TraceExplanations is a trace.Explanations: a graph of states. All ways begin in state 0.
type TraceExplanations struct {
	From   int             `json:"from"`   // events before state 0
	States int             `json:"states"` // how many there are
	Ends   []int           `json:"ends"`   // the states after the last matched event
	Ways   int             `json:"ways"`   // from state 0 to an end, at most 2^20
	Steps  []ExplainedStep `json:"steps"`
}

// ExplainedStep leads from one state of the graph to another.
type ExplainedStep struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Line  int    `json:"line"` // of the log
	Event string `json:"event"`
	// Unlogged says that the step came before the event, which does not name it.
	Unlogged bool `json:"unlogged,omitempty"`
	// Actions are those that the event stands for; none where it stands for no action.
	Actions []LoggedStep `json:"actions,omitempty"`
}

// TraceCandidate is a rule that does not explain an event: a trace.Candidate.
type TraceCandidate struct {
	State   int           `json:"state"`
	Rule    int           `json:"rule"`
	Kind    string        `json:"kind"`
	Action  string        `json:"action,omitempty"`
	Params  *modules.View `json:"params,omitempty"`
	Formula int           `json:"formula"`
	Text    string        `json:"text,omitempty"`
	Found   string        `json:"found,omitempty"`
	// Capacity is that of the value of the State that was full; 0 where that is not the reason.
	Capacity int      `json:"capacity,omitempty"`
	Why      []Reason `json:"why,omitempty"`
}

// TraceBroken is an invariant that a matched log breaks.
type TraceBroken struct {
	Invariant string       `json:"invariant"`
	Kind      string       `json:"kind"`
	Doc       string       `json:"doc,omitempty"`
	Event     *LoggedEvent `json:"event,omitempty"` // nil: the initial state
	Why       []Reason     `json:"why,omitempty"`
}

// Reason is an operand that decided an answer: a checker.Reason.
type Reason struct {
	Func   string            `json:"func,omitempty"`
	File   string            `json:"file"`
	Line   int               `json:"line"`
	Column int               `json:"column"`
	Text   string            `json:"text"`
	Kind   string            `json:"kind"`
	Value  bool              `json:"value"`
	Locals map[string]string `json:"locals,omitempty"`
	// Operands are the values of what Text reads, in its order.
	Operands []Operand `json:"operands,omitempty"`
}

// Operand is a part of a condition with its value.
type Operand struct {
	Text  string `json:"text"` // as the source has it
	Value string `json:"value"`
}

// PointCount is how often a point of an instrumented program was true and false.
type PointCount struct {
	Func   string `json:"func,omitempty"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
	Kind   string `json:"kind"`
	True   int64  `json:"true"`
	False  int64  `json:"false"`
}

// Explain asks an instrumented program why a property is false at the end of a trace, or why an
// action is not enabled there.
type Explain struct {
	Trace     *Trace `json:"trace"`
	Invariant string `json:"invariant,omitempty"` // its name
	// Action with Params, where Invariant is "".
	Action string       `json:"action,omitempty"`
	Params modules.View `json:"params"`
}

// Explanation is the answer to Explain.
type Explanation struct {
	Holds bool     `json:"holds"`
	Why   []Reason `json:"why"`
}

// Search makes "check" begin at the end of a path: see package checker/wire. With a formula,
// or with an action, the only property is that the formula is never true, or the action never
// enabled. Without either, the properties are those of the composition.
type Search struct {
	Init int      `json:"init"` // the initial state, from 0
	Path []string `json:"path"`
	// of type Formula of package checker/internal/trace
	Formula json.RawMessage `json:"formula,omitempty"`
	Action  string          `json:"action,omitempty"` // its name, or one step with its parameters
}
