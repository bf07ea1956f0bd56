// Package padded is a counter whose State has padding, which no specification may have.
package padded

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// State is a small field before a wide one.
type State struct {
	Small uint8
	Wide  uint32
}

// Count counts.
var Count = modules.Action[State, modules.None]{
	Name:   "Count",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return s.Wide < 3 },
	Effect: func(s, n *State, _ modules.None) { n.Wide++ },
}

// System is the catalog.
var System = grains.System[State]{
	Name:    "padded",
	Doc:     "A counter.",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "counter", Doc: "counts"}},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Doc: "One at a time.", Covers: []string{"counter"}, Actions: []modules.AnyAction[State]{&Count}},
	},
	Invariants: []modules.Invariant[State]{{ID: "Few", Doc: "There are few.", State: func(s *State) bool { return s.Wide <= 3 }}},
}
