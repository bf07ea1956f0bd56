package result

import "github.com/multigrain/multigrain/checker/wire"

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
