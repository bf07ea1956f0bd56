package result

import (
	"github.com/multigrain/multigrain/checker/wire"
)

// validationDoc is what was found of logs.
type Validation struct {
	Logs []string `json:"logs"`
	*wire.Validation
	// Last, Candidates and Shown are those of the validation, with values as texts.
	Last       []LoggedStep `json:"last,omitempty"`
	Candidates []Candidate  `json:"candidates,omitempty"`
	Shown      [][]Value    `json:"states_text,omitempty"`
	// Places are where the rules of the candidates stand in the manifest, by Rule.
	Places map[string]string `json:"places,omitempty"`
}

// LoggedStep is an action before the event that was not matched.
type LoggedStep struct {
	wire.LoggedStep
	Call string `json:"call"` // action and parameters
}

// Candidate is what an event could have been.
type Candidate struct {
	wire.TraceCandidate
	Call string `json:"call"` // action and parameters; empty for no action
}
