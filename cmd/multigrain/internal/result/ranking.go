package result

import "github.com/multigrain/multigrain/checker/wire"

// Ranking is the result of ranking the configurations of a grid.
type Ranking struct {
	Verdict string `json:"verdict" enum:"ranked undecided"`
	Reason  string `json:"reason,omitempty"`
	Grid    []Axis `json:"grid"`
	Depth   int    `json:"depth"` // steps of a walk, at most
	// Number is how many walks are taken in each configuration; 0: as many as fit into its share
	// of the time.
	Number  int64   `json:"number"`
	Seed    uint64  `json:"seed"`
	Workers int     `json:"workers"`
	Seconds float64 `json:"seconds"` // of all walks
	// Configurations are in the order in which to search them. Those without walks come last.
	Configurations []Configuration `json:"configurations"`
}

// Axis is a name of the grid with its values.
type Axis struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind" enum:"variable bound option"`
	Values []string `json:"values"`
}

// Configuration is a point of the grid with what walks covered there.
type Configuration struct {
	Rank   int      `json:"rank"`   // from 1; 0 where not all walks were taken
	Values []string `json:"values"` // in the order of the grid
	// Manifest is the path of the manifest that was written for the configuration.
	Manifest string `json:"manifest,omitempty"`
	Walks    int64  `json:"walks"`
	Steps    int64  `json:"steps"`
	Distinct int64  `json:"distinct"` // states that walks visited
	// Branches are those of guards, effects and rules. Missing ones are not listed.
	Branches BranchCount `json:"branches"`
	// Events are the kinds of steps that walks took, as actions and as their instances.
	Events  EventCount `json:"events"`
	Depth   int        `json:"depth"` // steps of the longest walk
	Seconds float64    `json:"seconds"`
	Ends    wire.Ends  `json:"ends"`
}

// BranchCount counts branches.
type BranchCount struct {
	Taken int `json:"taken"`
	Of    int `json:"of"`
}

// EventCount counts actions that were taken at least once, and their instances.
type EventCount struct {
	Actions   int `json:"actions"`
	Instances int `json:"instances"`
}
