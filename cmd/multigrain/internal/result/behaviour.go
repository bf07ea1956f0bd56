package result

import (
	"github.com/multigrain/multigrain/checker/wire"
)

// Trace is a trace file as the verb show prints it.
type Trace struct {
	TraceMeta
	File string `json:"file"`
	// Selected says which steps of the file these are, with -steps. They are numbered from 1.
	Selected string `json:"selected,omitempty"`
	Behaviour
}

// TraceMeta describes a trace file. Fields are those of itf.Meta.
type TraceMeta struct {
	Spec           string            `json:"spec,omitempty"` // name of the manifest
	System         string            `json:"system,omitempty"`
	Manifest       string            `json:"manifest,omitempty"`  // path
	Variables      map[string]string `json:"variables,omitempty"` // of the manifest, as HCL
	Set            map[string]string `json:"set,omitempty"`       // what -set replaced
	Modules        []TraceModule     `json:"modules,omitempty"`
	Implementation string            `json:"implementation,omitempty"`
	Change         string            `json:"change,omitempty"` // hash of the changed code's change
	Invariant      string            `json:"invariant,omitempty"`
	Instance       string            `json:"instance,omitempty"`
	Kind           string            `json:"kind,omitempty"`
	Doc            string            `json:"doc,omitempty"`
	// Messages are the fields that messages of each kind carry.
	Messages map[string][]string `json:"messages,omitempty"`
	Why      []wire.Reason       `json:"why,omitempty"`
}

// TraceModule is the grain of one module of a trace.
type TraceModule struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	Target bool   `json:"target,omitempty"`
}

// Behaviour is a behaviour as text: its steps with their parameters and the variables they
// change.
type Behaviour struct {
	Init  []Value `json:"init"`
	Steps []Step  `json:"steps"`
	Loop  *int    `json:"loop,omitempty"` // position of the state that the behaviour goes back to
	// Parts are the smallest parts of the initial state, each a path and a value. Set and
	// Gone of the steps turn them into the parts of every other state.
	Parts [][2]string `json:"parts"`
	// Sections divide the steps into parts of the walk that found them: rounds.
	Sections []wire.Section `json:"sections,omitempty"`
	Diagram  *Diagram       `json:"diagram"`
}

// Step is one step of a behaviour.
type Step struct {
	Action      string        `json:"action"`
	Call        string        `json:"call"` // action and parameters
	Module      string        `json:"module,omitempty"`
	Server      *int          `json:"server,omitempty"` // the acting one
	Environment bool          `json:"environment,omitempty"`
	Params      []Value       `json:"parameters"`
	Changes     []StateChange `json:"changes"`
	// Source is where the specification declares the action, if that is known.
	Source *SourcePlace `json:"source,omitempty"`
	State  []Value      `json:"state,omitempty"` // with -full
	// Set are the parts that the step sets, each a path and a value. Gone are paths of parts
	// that the step removes, with all parts below them.
	Set  [][2]string `json:"set,omitempty"`
	Gone []string    `json:"gone,omitempty"`
}

// Value is a variable, a parameter or a part of a state.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// StateChange is the change of one part of a state.
type StateChange struct {
	Variable string `json:"variable"` // path of the part
	Old      string `json:"old"`
	New      string `json:"new"`
	// Queue describes the change of a sequence from whose front values were removed, or at
	// whose end values were added. It also describes the change of a set, or of a channel whose
	// messages have no order, by what was removed and added.
	Queue string `json:"queue,omitempty"`
	// Removed and Added are these values.
	Removed []string `json:"removed,omitempty"`
	Added   []string `json:"added,omitempty"`
}

// SourcePlace is a line of a source file.
type SourcePlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
}
