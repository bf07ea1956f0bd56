package drivers

import (
	"encoding/json"
	"slices"
)

// Version is the version of the protocol.
const Version = 1

// Requests: the values of Request.Do.
const (
	DoHello    = "hello"    // what the driver offers: Hello
	DoReset    = "reset"    // bring the implementation into the initial state
	DoStep     = "step"     // do what a step of the specification stands for
	DoObserve  = "observe"  // the values of variables: Observed
	DoAssert   = "assert"   // a step in which the implementation must report a failed assertion
	DoEvidence = "evidence" // what else was read of the last step: Evidence
	DoWatch    = "watch"    // which symptoms symptom will ask for; before reset
	DoSymptom  = "symptom"  // look for the symptoms: Sightings
	DoCoverage = "coverage" // the lines that ran since reset: Coverage
	DoSame     = "same"     // which lines of a change do all as before: Same
	DoExplain  = "explain"  // lines about a difference, where it occurred: Lines
	DoLog      = "log"      // the lines that the implementation has logged since then: Lines
	DoStop     = "stop"     // end
)

// Messages says for each optional interface of package conform with which fields of Hello and
// which requests a driver has it.
var Messages = map[string]string{
	"Explainer": "hello.explains, explain",
	"Asserter":  "hello.asserts, assert",
	"Limited":   "hello.leaves_out",
	"Evident":   "hello.evidence, evidence",
	"Borrower":  "hello.borrowed",
	"Patient":   "hello.patience",
	"Versioned": "hello.version",
	"Witness":   "hello.symptoms, watch, symptom",
	"Coded":     "hello.coverage, coverage",
}

// Request is a line to a driver.
type Request struct {
	ID int64  `json:"id"` // from 1, one more each time
	Do string `json:"do"`
	// Of hello: the version of the protocol, and the actions of the composition. Settings and
	// version are those of the implementation block.
	Protocol int               `json:"protocol,omitempty"`
	Actions  []string          `json:"actions,omitempty"`
	Settings map[string]string `json:"settings,omitempty"`
	Version  string            `json:"version,omitempty"`
	// Of hello, too: the folder of code that takes the place of the implementation's own. The
	// variable MULTIGRAIN_CODE of the process has it as well.
	Code string `json:"code,omitempty"`
	// Of reset: the number of nodes, 0 where the specification has no channels, and whether lines
	// of log will be asked for. Before has the values that hello needs in the initial state.
	Nodes int  `json:"nodes,omitempty"`
	Log   bool `json:"log,omitempty"`
	// Of step and assert: the action, its parameters, and the values that hello needs before and
	// after it.
	Action string                     `json:"action,omitempty"`
	Params map[string]json.RawMessage `json:"params,omitzero"`
	Before map[string]json.RawMessage `json:"before,omitempty"`
	After  map[string]json.RawMessage `json:"after,omitempty"`
	// Of watch.
	Symptoms []Symptom `json:"symptoms,omitempty"`
	// Of coverage and same: the lines that are asked about.
	Lines []Line `json:"lines,omitempty"`
	// Of same: the folders with the code on both sides of a change.
	Sides *Sides `json:"sides,omitempty"`
}

// Answer is a line of a driver.
type Answer struct {
	ID      int64           `json:"id"`
	OK      json.RawMessage `json:"ok,omitempty"`
	Refused *string         `json:"refused,omitempty"`
	Failed  *string         `json:"failed,omitempty"`
	// Spoilt says of a reset that was refused that another one can help.
	Spoilt bool `json:"spoilt,omitempty"`
}

// Hello says what a driver offers. Each process of a driver says the same.
type Hello struct {
	Protocol int    `json:"protocol"`
	Name     string `json:"name"`              // of the implementation
	Version  string `json:"version,omitempty"` // of the implementation that runs
	// Actions are those that the driver can do, of those in the request. Walks do without others.
	Actions []string `json:"actions"`
	// Variables are those of the specification that observe answers.
	Variables []string `json:"variables"`
	// Needs are variables of the specification whose values before and after a step the driver
	// reads, since a client or the environment chooses them.
	Needs []string `json:"needs,omitempty"`
	// LeavesOut are steps that the driver cannot do, each with the reason.
	LeavesOut []LeftOut `json:"leaves_out,omitempty"`
	// Borrowed are parts of variables that the driver takes from the values that it needs, as paths
	// such as Reads.Floor.
	Borrowed []string `json:"borrowed,omitempty"`
	// Patience bounds the time for an answer, in seconds; 0: ten.
	Patience float64  `json:"patience,omitempty"`
	Asserts  bool     `json:"asserts,omitempty"`
	Evidence bool     `json:"evidence,omitempty"`
	Explains bool     `json:"explains,omitempty"`
	Coverage bool     `json:"coverage,omitempty"`
	Same     bool     `json:"same,omitempty"`
	Symptoms []string `json:"symptoms,omitempty"` // words, each with its settings in brackets
}

// LeftOut is a kind of steps that a driver cannot do.
type LeftOut struct {
	Action string                     `json:"action"`
	Params map[string]json.RawMessage `json:"params,omitempty"` // those that are meant; others: any
	Reason string                     `json:"reason"`
}

// Observed answers observe.
type Observed struct {
	// Variables have values of ITF. A variable that is left out has the value of the observation
	// before, of the same walk.
	Variables map[string]json.RawMessage `json:"variables"`
	// What the implementation has in addition, if no variable stands for it; "": nothing.
	Beside string `json:"beside,omitempty"`
}

// Symptom is as of package conform.
type Symptom struct {
	Word     string            `json:"word"`
	Settings map[string]string `json:"settings,omitempty"`
}

// Sightings answers symptom, in the order of watch.
type Sightings struct {
	Sightings []Sighting `json:"sightings"`
}

// Sighting is as of package conform.
type Sighting struct {
	Word   string `json:"word"`
	Seen   bool   `json:"seen"`
	Judged bool   `json:"judged"`
	Text   string `json:"text,omitempty"`
}

// Line is a line of a source. File ends with the path as the change names it, with slashes.
type Line struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1
	// Removed says that lines were removed before it, and that it did not change itself.
	Removed bool `json:"removed,omitempty"`
	// Before says of same that the line is one of the code before the change.
	Before bool `json:"before,omitempty"`
}

// Sides are folders with the code before and after a change.
type Sides struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// Coverage answers coverage: those of the lines that are known to be code, and of them those that
// ran since reset. Code does not change.
type Coverage struct {
	Code []Line `json:"code"`
	Ran  []Line `json:"ran"`
	// Conditions are the operands of conditions on lines of Code. The list does not change, except
	// in True and False.
	Conditions []Condition `json:"conditions,omitempty"`
}

// Condition is an operand of a condition.
type Condition struct {
	File   string `json:"file"`
	Line   int    `json:"line"`             // from 1
	Column int    `json:"column,omitempty"` // from 1; 0: not known
	Text   string `json:"text"`
	// True and False say which values it had since reset.
	True  bool `json:"true,omitempty"`
	False bool `json:"false,omitempty"`
}

// Same answers same: those of the lines on which both sides do the same.
type Same struct {
	Lines []Line `json:"lines"`
	// Why says why others are not among them; "": nothing is known of them.
	Why string `json:"why,omitempty"`
}

// Lines answers explain and log.
type Lines struct {
	Lines []string `json:"lines"`
}

// Evidence answers evidence: a value of ITF.
type Evidence struct {
	Evidence json.RawMessage `json:"evidence"`
}

// same reports whether two processes of a driver offer the same.
func (h *Hello) same(other *Hello) bool {
	a, _ := json.Marshal(h) // of texts, numbers and what was JSON
	b, _ := json.Marshal(other)
	return slices.Equal(a, b)
}
