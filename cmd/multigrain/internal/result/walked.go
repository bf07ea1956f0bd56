package result

import "github.com/multigrain/multigrain/checker/wire"

// Walked is a composition in which changed code was walked.
type Walked struct {
	Modules []Module `json:"modules"`
	// Switched says that options or bounds are not as the manifest has them, since grains or changed
	// code need others.
	Switched bool      `json:"switched"`
	Options  []Setting `json:"options"` // that differ from the manifest
	Bounds   []Setting `json:"bounds"`  // of the walks that differ from the manifest
	Stands   []Stands  `json:"stands"`
	Seed     uint64    `json:"seed"`
	Walks    int64     `json:"walks"`
	Steps    int64     `json:"steps"`
	Departs  int64     `json:"departs"`
	Seconds  float64   `json:"seconds"` // of the walks, without building
	// Unfired are actions of touched modules that no walk took here. LeftOut are steps that the
	// adapter cannot drive.
	Unfired  []string       `json:"unfired"`
	LeftOut  []wire.LeftOut `json:"left_out"`
	Branches int            `json:"branches"` // of guards, effects and rules that were taken
	Of       int            `json:"branches_of"`
	// Reason says why the walks decide nothing, or less.
	Reason   string `json:"reason,omitempty"`
	Manifest string `json:"manifest,omitempty"` // its text; absent for the manifest itself
}

// Stands is a module whose grain in walks stands for the coarse one that is composed.
type Stands struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	For    string `json:"for"`
}
