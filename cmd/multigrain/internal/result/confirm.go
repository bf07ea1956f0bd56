package result

import "github.com/multigrain/multigrain/checker/wire"

// Confirmation is the result of trying to see a bug on an implementation.
type Confirmation struct {
	Implementation string `json:"implementation"`
	Version        string `json:"version"`
	Variant        string `json:"variant,omitempty"` // of the specification, nearest to the version
	Verdict        string `json:"verdict" enum:"confirmed departs undecided holds"`
	Reason         string `json:"reason,omitempty"`
	// The counterexample violates Property and has Length steps. Trace is the path of its ITF
	// file.
	Property string `json:"property,omitempty"`
	Length   int    `json:"length,omitempty"`
	Trace    string `json:"trace,omitempty"`
	// Distinct counts the states of the search; 0 where a trace was given.
	Distinct int64          `json:"distinct"`
	Symptoms []wire.Symptom `json:"symptoms"`
	// Runs counts attempts with the fault, and Controls attempts without it.
	Runs     Attempts       `json:"runs"`
	Controls Attempts       `json:"controls"`
	Attempts []wire.Attempt `json:"attempts"`
	Seconds  float64        `json:"seconds"` // of all attempts
	Folder   string         `json:"folder,omitempty"`
	// Counterexample is the behaviour that was tried.
	Counterexample *Behaviour `json:"counterexample,omitempty"`
}

// Attempts counts attempts by their outcome.
type Attempts struct {
	Shown    int `json:"shown"`    // driven to the end, and all symptoms were seen
	Absent   int `json:"absent"`   // driven to the end, and a symptom was not seen
	Unjudged int `json:"unjudged"` // driven to the end, and a symptom could not be looked for
	Departed int `json:"departed"`
	Undriven int `json:"undriven"`
	Spoilt   int `json:"spoilt"` // ended before the first step, and repeated
}

// Count counts attempts: those with the fault, or the controls.
func Count(all []wire.Attempt, control bool) (n Attempts) {
	for _, a := range all {
		if a.Control != control {
			continue
		}
		switch a.Outcome {
		case "shown":
			n.Shown++
		case "absent":
			n.Absent++
		case "unjudged":
			n.Unjudged++
		case "departed":
			n.Departed++
		case "undriven":
			n.Undriven++
		case "spoilt":
			n.Spoilt++
		}
	}
	return n
}

// Begun counts the attempts that came to the first step.
func (n Attempts) Begun() int { return n.Shown + n.Absent + n.Unjudged + n.Departed + n.Undriven }
