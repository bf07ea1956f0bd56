package wire

// Confirm asks how often a trace is done, and which symptoms are looked for after it.
type Confirm struct {
	// Runs and Controls count attempts with the fault and without it.
	Runs     int       `json:"runs"`
	Controls int       `json:"controls,omitempty"`
	Symptoms []Symptom `json:"symptoms"`
	// Schedule puts steps into the trace, and Control makes the trace without its fault.
	Schedule *Control `json:"schedule,omitempty"`
	Control  *Control `json:"control,omitempty"`
}

// Symptom describes a bug as a user of the implementation sees it, in a word of the adapter.
type Symptom struct {
	Word     string            `json:"word"`
	Settings map[string]string `json:"settings,omitempty"`
}

// Control makes a schedule without the fault from a trace. Steps are texts, as NodeCrash(I: 1). Of
// equal steps the last one is meant.
type Control struct {
	Without []string `json:"without,omitempty"`
	Insert  []string `json:"insert,omitempty"`
	Before  string   `json:"before,omitempty"`
}

// Attempt is one attempt to do a trace and to see its symptoms, see conform.Attempt.
type Attempt struct {
	Control bool   `json:"control,omitempty"`
	Outcome string `json:"outcome" enum:"shown absent unjudged departed undriven spoilt"`
	Steps   int    `json:"steps"` // that were done
	// Step is the step that departed or could not be driven, from 1, and Action its text.
	Step      int        `json:"step,omitempty"`
	Action    string     `json:"action,omitempty"`
	Message   string     `json:"message,omitempty"`
	Log       []string   `json:"log,omitempty"`
	Sightings []Sighting `json:"sightings,omitempty"`
	Seconds   float64    `json:"seconds"`
}

// Sighting says whether a symptom was seen.
type Sighting struct {
	Word   string `json:"word"`
	Seen   bool   `json:"seen"`
	Judged bool   `json:"judged"` // whether it could be looked for
	Text   string `json:"text"`
}
