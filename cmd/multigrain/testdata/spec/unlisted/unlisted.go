// Package unlisted is a counter with actions that stand in no grain.
package unlisted

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// State is the counter.
type State struct{ N uint8 }

// Action is an action of the counter.
type Action = modules.Action[State, modules.None]

func small(s *State, _ modules.None) bool { return s.N < 3 }

// Forgotten is named by a rule, which does nothing.
var Forgotten = Action{Name: "Forgotten", Params: modules.Once, Effect: func(s, n *State, _ modules.None) { n.N = 0 }}

// Shared lends its guard to Count.
var Shared = Action{Name: "Shared", Params: modules.Once, Guard: small, Effect: func(s, n *State, _ modules.None) { n.N = 0 }}

// Beside is for running next to a node.
var Beside = Action{Name: "Beside", Params: modules.Once, Guard: small, Effect: func(s, n *State, _ modules.None) { n.N = 1 }}

// Count counts.
var Count = Action{Name: "Count", Params: modules.Once, Guard: Shared.Guard, Effect: func(s, n *State, _ modules.None) { n.N++ }}

// Runtime names Beside.
var Runtime = modules.Runtime[State]{
	Locals: []modules.Local[State]{{Of: &Count, Actions: []modules.AnyAction[State]{&Beside}}},
}

// System is the catalog.
var System = grains.System[State]{
	Name:    "unlisted",
	Doc:     "A counter.",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "counter", Doc: "counts"}},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Doc: "One at a time.", Covers: []string{"counter"}, Actions: []modules.AnyAction[State]{&Count}},
	},
	Rules:      []modules.Rule[State]{modules.When(&Forgotten, small)},
	Invariants: []modules.Invariant[State]{{ID: "Few", Doc: "There are few.", State: func(s *State) bool { return s.N <= 3 }}},
}
