package result

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
)

// Name returns what names the files of a difference: the variable without its index, or the kind.
func (x *Difference) Name() string {
	if x.Variable == "" {
		return x.Kind
	}
	name, _, _ := strings.Cut(strings.ReplaceAll(x.Variable, ".", "["), "[")
	return name
}

// Line describes the difference in a line.
func (x *Difference) Line() string {
	when := "at the start"
	if x.Step > 0 {
		when = fmt.Sprintf("after step %d, %s", x.Step, x.Action)
	}
	switch x.Kind {
	case "variable":
		return fmt.Sprintf("%s %s", x.Variable, when)
	case "exit":
		return fmt.Sprintf("the implementation ends its process %s: %s", strings.Replace(when, "after", "in", 1), x.Message)
	case "panic":
		return fmt.Sprintf("the implementation panics %s: %s", strings.Replace(when, "after", "in", 1), x.Message)
	}
	return fmt.Sprintf("%s: %s", when, x.Message)
}

// Conformance is the result of a conformance run.
type Conformance struct {
	Implementation string `json:"implementation"`
	Version        string `json:"version,omitempty"` // the one built in
	Verdict        string `json:"verdict" enum:"holds violated undecided"`
	Reason         string `json:"reason,omitempty"`
	Traces         int64  `json:"traces"`
	Steps          int64  `json:"steps"`
	Differences    int64  `json:"differences"`
	Depth          int    `json:"depth"`   // steps of a walk, at most
	Longest        int    `json:"longest"` // steps of the longest walk
	// walks that ended before that depth without a next step
	Short    int64   `json:"short"`
	Half     int64   `json:"half"`     // walks of at least half of that depth
	Refused  int64   `json:"refused"`  // steps drawn and not taken
	Exceeded int64   `json:"exceeded"` // of these, steps that exceed a capacity
	Seed     uint64  `json:"seed"`
	Seconds  float64 `json:"seconds"`
	// Processor is the processor time of the program in seconds, with its start. Processes that
	// the adapter or a driver starts do not count. It is absent where the system does not tell it.
	Processor  float64           `json:"processor_seconds,omitempty"`
	Workers    int               `json:"workers"`
	Actions    []ConformedAction `json:"actions"`
	Coverage   []wire.Conformed  `json:"coverage"`
	Branches   *wire.Branches    `json:"branches,omitempty"` // with -branches
	Covered    *wire.Covered     `json:"covered,omitempty"`  // with -cover
	Strategy   *wire.Strategy    `json:"strategy,omitempty"` // with -strategy
	Observed   []string          `json:"observed"`
	Unobserved []string          `json:"unobserved"`
	Found      []Difference      `json:"found"`
	// Change is the hash of the change whose code was run; "" for the code of a version.
	Change string `json:"change,omitempty"`
	// Broken are the invariants that changed code breaks at the end of a trace. With -judge they
	// are those that the implementation breaks on it.
	Broken []BrokenInCode `json:"broken,omitempty"`
	// Judged is the property of a trace that was judged on the implementation, with -judge.
	Judged string `json:"judged,omitempty"`
	// Ghost is a variable that this property reads and that the adapter does not observe. It
	// has the values of the specification's steps.
	Ghost string `json:"ghost,omitempty"`
	// Test is the path of the test that -write-test wrote.
	Test string `json:"test,omitempty"`

	// walks that ended before a step that did not come to its end, and where the first of them is
	Undriven   int64  `json:"undriven"`
	UndrivenAt string `json:"undriven_at,omitempty"`
	// steps of further such walks, at most 20
	UndrivenNext []string `json:"undriven_next"`
	// walks that were done once more after such a step
	Repeated int64 `json:"repeated"`
	// steps drawn that the adapter cannot drive
	LeftOut []wire.LeftOut `json:"left_out"`
	// known differences, seen or not, and the walks that ended in one
	Accepted []Accepted `json:"accepted"`
	Ended    int64      `json:"ended"`
}

// Accepted is a known difference of the manifest and how many walks ended in it.
type Accepted struct {
	Name     string `json:"name"`
	Action   string `json:"action"`
	Variable string `json:"variable"`
	Why      string `json:"why"` // the ticket or the deviation
	Walks    int64  `json:"walks"`
}

// ConformedAction counts the steps of an action.
type ConformedAction struct {
	Name      string     `json:"name"`
	Module    string     `json:"module"`
	Fired     int64      `json:"fired"`
	Instances wire.Fired `json:"instances"`
}

// Difference is a difference between the specification and the implementation.
type Difference struct {
	Kind     string      `json:"kind"`               // variable, panic, exit or error
	Variable string      `json:"variable,omitempty"` // the first that differs
	Step     int         `json:"step"`               // after which it shows; 0: at the start
	Action   string      `json:"action,omitempty"`   // of that step
	Values   []Differing `json:"values,omitempty"`
	Message  string      `json:"message,omitempty"`
	Frames   []string    `json:"frames,omitempty"`
	Walk     int64       `json:"walk"`            // number of the walk it was found on, from 1
	Length   int         `json:"length"`          // steps of that walk
	Minimal  bool        `json:"minimal"`         // no step of the counterexample can be left out
	Count    int64       `json:"count"`           // walks that end in a difference of this kind
	Trace    string      `json:"trace,omitempty"` // path of the ITF file
	Log      string      `json:"log,omitempty"`   // path of the implementation's log
	// Places says where the implementation's threads stand and what it has logged last; only of the
	// first difference, and only where its adapter says so.
	Places []string `json:"places,omitempty"`
	// Counterexample is the behaviour at whose end the states differ.
	Counterexample *Behaviour `json:"counterexample,omitempty"`
}

// Differing is a variable with its two values, also as texts. A text is empty where a side does
// not have the variable.
type Differing struct {
	wire.Differing
	SpecificationText  string `json:"specification_text,omitempty"`
	ImplementationText string `json:"implementation_text,omitempty"`
}
