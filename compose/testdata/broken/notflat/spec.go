package notflat

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// State has a slice.
type State struct {
	Log []uint8
}

// Grow grows it.
var Grow = modules.Action[State, modules.None]{
	Name:   "Grow",
	Params: modules.Once,
	Effect: func(s, n *State, _ modules.None) { n.Log = append(n.Log, 1) },
}

// System is the catalog.
var System = grains.System[State]{
	Name:    "notflat",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "m"}},
	Grains:  []grains.Grain[State]{{Name: "baseline", Covers: []string{"m"}, Actions: []modules.AnyAction[State]{&Grow}}},
}
