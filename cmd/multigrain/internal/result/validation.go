package result

import (
	"github.com/multigrain/multigrain/checker/wire"
)

// Validation is the result of validating logs.
type Validation struct {
	Logs []string `json:"logs"`
	*wire.Validation
	// Last, Candidates and Shown are those of the validation, with values as texts.
	Last       []LoggedStep `json:"last,omitempty"`
	Candidates []Candidate  `json:"candidates,omitempty"`
	Shown      [][]Value    `json:"states_text,omitempty"`
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
