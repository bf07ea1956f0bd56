// Package helped is a specification whose State has values of a type of another package.
package helped

import (
	"github.com/multigrain/multigrain/compose/testdata/helped/light"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Road is the road that a light belongs to.
type Road uint8

// Roads.
const (
	NORTH Road = iota
	EAST
)

// State is what the lights of a crossing show, and which of them changed last.
type State struct {
	Shown [2]light.Colour
	Last  Road
}

// Change changes a light.
var Change = modules.Action[State, modules.One[Road]]{
	Name:   "Change",
	Params: modules.Each[Road](2),
	Effect: func(s, n *State, p modules.One[Road]) {
		n.Shown[p.I] = s.Shown[p.I].Next()
		n.Last = p.I
	},
}

// System is the catalog.
var System = grains.System[State]{
	Name:    "helped",
	Doc:     "The lights of a crossing.",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "crossing", Doc: "Lights change."}},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Covers: []string{"crossing"}, Actions: []modules.AnyAction[State]{&Change}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "safe", Doc: "A crossing shows no two colours but red.", State: func(s *State) bool {
			return s.Shown[NORTH] == light.RED || s.Shown[EAST] == light.RED
		}},
	},
}
