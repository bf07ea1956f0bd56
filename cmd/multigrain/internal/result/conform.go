package result

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
)

// Line is a difference in a line.
func (x *Difference) Line() string {
	when := "at the start"
	if x.Step > 0 {
		when = fmt.Sprintf("after step %d, %s", x.Step, x.Action)
	}
	switch x.Kind {
	case "variable":
		return fmt.Sprintf("%s %s", x.Variable, when)
	case "panic":
		return fmt.Sprintf("the implementation panics %s: %s", strings.Replace(when, "after", "in", 1), x.Message)
	}
	return fmt.Sprintf("%s: %s", when, x.Message)
}

// conformDoc is what -json says of a conformance run.
type Conformance struct {
	Implementation string            `json:"implementation"`
	Version        string            `json:"version,omitempty"` // that was built in
	Verdict        string            `json:"verdict"`
	Reason         string            `json:"reason,omitempty"`
	Traces         int64             `json:"traces"`
	Steps          int64             `json:"steps"`
	Differences    int64             `json:"differences"`
	Depth          int               `json:"depth"` // asked for
	Longest        int               `json:"longest"`
	Short          int64             `json:"short"` // walks that no step could go on with before
	Refused        int64             `json:"refused"`
	Exceeded       int64             `json:"exceeded"`
	Seed           uint64            `json:"seed"`
	Seconds        float64           `json:"seconds"`
	Workers        int               `json:"workers"`
	Actions        []ConformedAction `json:"actions"`
	Coverage       []wire.Conformed  `json:"coverage"`
	Branches       *wire.Branches    `json:"branches,omitempty"` // with -branches
	Observed       []string          `json:"observed"`
	Unobserved     []string          `json:"unobserved"`
	Found          []Difference      `json:"found"`
}

type ConformedAction struct {
	Name      string     `json:"name"`
	Module    string     `json:"module"`
	Fired     int64      `json:"fired"`
	Instances wire.Fired `json:"instances"`
}

type Difference struct {
	Kind     string      `json:"kind"`               // variable, panic or error
	Variable string      `json:"variable,omitempty"` // the first that differs
	Step     int         `json:"step"`               // after which it shows; 0: at the start
	Action   string      `json:"action,omitempty"`   // of that step
	Values   []Differing `json:"values,omitempty"`
	Message  string      `json:"message,omitempty"`
	Frames   []string    `json:"frames,omitempty"`
	Walk     int64       `json:"walk"`
	Length   int         `json:"length"`
	Minimal  bool        `json:"minimal"`
	Count    int64       `json:"count"`
	Trace    string      `json:"trace,omitempty"` // path of the ITF file
	Log      string      `json:"log,omitempty"`   // path of the implementation's log
	// Counterexample is the behaviour at whose end the states differ.
	Counterexample *Behaviour `json:"counterexample,omitempty"`
}

// Differing is a variable with its two values, also as texts. A text is empty where a side does not have the variable.
type Differing struct {
	wire.Differing
	SpecificationText  string `json:"specification_text,omitempty"`
	ImplementationText string `json:"implementation_text,omitempty"`
}
