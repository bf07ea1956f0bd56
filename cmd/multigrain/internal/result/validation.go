package result

import "github.com/multigrain/multigrain/checker/wire"

// Validation is the result of validating logs.
type Validation struct {
	Logs []string `json:"logs"`
	*wire.Validation
	// Last, Candidates and Shown are those of the validation, with values as texts.
	Last []LoggedStep `json:"last,omitempty"`
	// Calls are the actions of each step of the explanations, as texts.
	Calls      []string    `json:"calls,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`
	Shown      [][]Value   `json:"states_text,omitempty"`
	// Places are the places of the candidates' rules in the manifest, by Rule.
	Places map[string]string `json:"places,omitempty"`
}

// LoggedStep is an action before the event that was not matched.
type LoggedStep struct {
	wire.LoggedStep
	Call string `json:"call"` // action and parameters
}

// Candidate is an action for which an event could stand.
type Candidate struct {
	wire.TraceCandidate
	Call string `json:"call"` // action and parameters; empty for no action
}

// Refinement is the result of refine.
type Refinement struct {
	Verdict string `json:"verdict" enum:"holds violated undecided"`
	Reason  string `json:"reason,omitempty"` // of an undecided verdict
	// Abstract is the path of the abstract manifest, and System its system.
	Abstract string `json:"abstract"`
	System   string `json:"abstract_system"`
	// Shared are bounds that the abstract composition takes from the concrete one.
	Shared []Bound `json:"shared,omitempty"`
	// Liveness says that only safety was compared.
	Liveness string `json:"liveness" enum:"not-compared"`
	wire.Refined
	// ConcreteTrace and AbstractTrace are the files with the behaviours of the difference.
	ConcreteTrace string `json:"concrete_trace,omitempty"`
	AbstractTrace string `json:"abstract_trace,omitempty"`
}
