package result

import (
	"github.com/multigrain/multigrain/checker/wire"
)

// traceDoc is a trace file as show prints it.
type Trace struct {
	TraceMeta
	File string `json:"file"`
	Behaviour
}

// TraceMeta is what a trace says about itself besides its states, as itf.Meta has it.
type TraceMeta struct {
	Spec           string            `json:"spec,omitempty"`
	System         string            `json:"system,omitempty"`
	Manifest       string            `json:"manifest,omitempty"`
	Variables      map[string]string `json:"variables,omitempty"`
	Modules        []TraceModule     `json:"modules,omitempty"`
	Implementation string            `json:"implementation,omitempty"`
	Invariant      string            `json:"invariant,omitempty"`
	Instance       string            `json:"instance,omitempty"`
	Kind           string            `json:"kind,omitempty"`
	Doc            string            `json:"doc,omitempty"`
	Why            []wire.Reason     `json:"why,omitempty"`
}

// TraceModule is the grain of one module of a trace.
type TraceModule struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	Target bool   `json:"target,omitempty"`
}

// behaviourDoc is a behaviour for people and for pages: the parameters and the changed variables of each
// step, as text.
type Behaviour struct {
	Init  []Value `json:"init"`
	Steps []Step  `json:"steps"`
	Loop  *int    `json:"loop,omitempty"` // position of the state that the behaviour goes back to
	// Parts are the smallest parts of the initial state, each a path and a value: with what steps set and
	// remove they give every state.
	Parts   [][2]string `json:"parts"`
	Diagram *Diagram    `json:"diagram"`
}

type Step struct {
	Action      string        `json:"action"`
	Call        string        `json:"call"` // action and parameters
	Module      string        `json:"module,omitempty"`
	Server      *int          `json:"server,omitempty"` // the acting one
	Environment bool          `json:"environment,omitempty"`
	Params      []Value       `json:"parameters"`
	Changes     []StateChange `json:"changes"`
	State       []Value       `json:"state,omitempty"` // with -full
	// Set are the parts that the step sets, each a path and a value. Gone are paths of parts that the step
	// removes, with all parts below them.
	Set  [][2]string `json:"set,omitempty"`
	Gone []string    `json:"gone,omitempty"`
}

type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type StateChange struct {
	Variable string `json:"variable"`
	Old      string `json:"old"`
	New      string `json:"new"`
	// Queue says what was taken from the front of a sequence and put at its end, where that is the change.
	Queue string `json:"queue,omitempty"`
}
