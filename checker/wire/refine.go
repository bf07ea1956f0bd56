package wire

import (
	"encoding/json"

	"github.com/multigrain/multigrain/modules"
)

// Refine holds the parameters of "refine". The composition of Request.Choice is the concrete one.
type Refine struct {
	Abstract json.RawMessage `json:"abstract"` // a grains.Choice
	// Variables are the variables of the abstract State that are mapped.
	Variables []RefineVariable `json:"variables"`
	Actions   []RefineAction   `json:"actions,omitempty"`
	// Walks and Depth say how many random walks are taken where a limit ends the exploration, and
	// how many steps each has; 0 for the defaults of abstraction.Options.
	Walks int64 `json:"walks,omitempty"`
	Depth int   `json:"depth,omitempty"`
}

// RefineVariable is a mapped variable. Formula, of type trace.Formula, is its value as an
// expression about the concrete State; nil where the program's mapping function sets it.
type RefineVariable struct {
	Name    string          `json:"name"`
	Formula json.RawMessage `json:"formula,omitempty"`
}

// RefineAction says that a concrete action is observed as an abstract one.
type RefineAction struct {
	Concrete string `json:"concrete"`
	Abstract string `json:"abstract"`
}

// Refined is the result of "refine". Fields are those of abstraction.Result. Of two sides, the
// first is the concrete one.
type Refined struct {
	Complete bool           `json:"complete"`
	Sides    [2]RefinedSide `json:"sides"`
	Pairs    int            `json:"pairs"`
	Largest  int            `json:"largest"`
	Values   int            `json:"values"`
	Silent   int64          `json:"silent"`
	Visible  int64          `json:"visible"`
	Taken    []RefinedTaken `json:"taken,omitempty"`
	Raised   int64          `json:"raised,omitempty"`
	Walks    int64          `json:"walks,omitempty"`
	Steps    int64          `json:"steps,omitempty"` // of the walks
	Seconds  float64        `json:"seconds"`
	// Problems say what is wrong with the mapping. Then there is nothing else.
	Problems   []RefineProblem    `json:"problems,omitempty"`
	Difference *RefinedDifference `json:"difference,omitempty"`
}

// RefinedSide is the explored part of a composition.
type RefinedSide struct {
	States      int64 `json:"states"`
	Transitions int64 `json:"transitions"`
	Depth       int   `json:"depth"`
}

// RefinedTaken counts the explored concrete steps of an observed action.
type RefinedTaken struct {
	Action string `json:"action"` // of the abstract composition
	Count  int64  `json:"count"`
}

// RefineProblem says what is wrong with a mapping.
type RefineProblem struct {
	Variable string `json:"variable,omitempty"` // "": the mapping as a whole
	Message  string `json:"message"`            // a sentence without its period
	// Trace leads to the state before the step to the one that cannot be mapped; nil if that is an
	// initial one, or the mapping is wrong in any state.
	Trace *Trace `json:"trace,omitempty"`
}

// RefinedDifference is a concrete behaviour whose last step the abstract composition cannot match.
type RefinedDifference struct {
	Concrete *Trace `json:"concrete"`
	Silent   []bool `json:"silent"` // by step of Concrete
	// Mapped are the values that the states of Concrete are mapped to, the initial one first, as
	// records of the mapped variables.
	Mapped []modules.View `json:"mapped"`
	// Sets are the numbers of abstract states with the same observation, as Mapped.
	Sets []int `json:"sets"`
	// Abstract is a behaviour with the observations before the last step; nil if the initial state
	// is the difference. Matches has the step of Concrete that each of its steps matches, from 1; 0
	// for a silent one.
	Abstract *Trace `json:"abstract,omitempty"`
	Matches  []int  `json:"matches,omitempty"`
	// Could are the visible steps that the abstract composition can take instead.
	Could  []string `json:"could,omitempty"`
	Walked bool     `json:"walked,omitempty"`
}
