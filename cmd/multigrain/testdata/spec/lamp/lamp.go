// Package lamp is a lamp. Its options make a run look at nothing, each in another way.
package lamp

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// What a manifest sets.
const (
	Presses = 2
	Touches = false
)

// State counts how often the lamp was pressed.
type State struct{ Pressed uint8 }

// Press changes the state, at most Presses times.
var Press = modules.Action[State, modules.None]{
	Name:   "Press",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return int(s.Pressed) < Presses },
	Effect: func(s, n *State, _ modules.None) { n.Pressed++ },
}

// Touch changes nothing. An option switches it on.
var Touch = modules.Action[State, modules.None]{
	Name:   "Touch",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return Touches },
	Effect: func(s, n *State, _ modules.None) {},
}

// System is the catalog.
var System = grains.System[State]{
	Name:    "lamp",
	Doc:     "A lamp that is pressed.",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "lamp", Doc: "is pressed"}},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Doc: "One press at a time.", Covers: []string{"lamp"}, Actions: []modules.AnyAction[State]{&Press, &Touch}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "Few", Doc: "The lamp is pressed seldom.", State: func(s *State) bool { return int(s.Pressed) <= Presses }},
		{ID: "Forward", Doc: "Presses are not taken back.", Step: func(s, n *State) bool { return s.Pressed <= n.Pressed }},
	},
	Constraints: []modules.Invariant[State]{
		{ID: "pressed", Doc: "The lamp was pressed.", State: func(s *State) bool { return s.Pressed > 0 }},
		{ID: "untouched", Doc: "The lamp was not pressed.", State: func(s *State) bool { return s.Pressed == 0 }},
		{ID: "seldom", Doc: "The lamp was pressed at most once.", State: func(s *State) bool { return s.Pressed <= 1 }},
	},
	Liveness: []modules.Liveness[State]{
		{ID: "on", Doc: "The lamp is pressed.", To: func(s *State) bool { return int(s.Pressed) == Presses }},
		{ID: "never", Doc: "The premise is never true.", From: func(s *State) bool { return s.Pressed > 200 }, To: func(s *State) bool { return false }},
		{ID: "same", Doc: "Premise and conclusion are the same.", From: func(s *State) bool { return s.Pressed == 1 },
			To: func(s *State) bool { return s.Pressed == 1 }},
	},
	Bounds: []grains.Bound{{Name: "presses", Doc: "how often the lamp is pressed", Min: 0, Max: 9, Default: 2, Const: "Presses"}},
	Options: []grains.Option{
		{Name: "touches", Doc: "the lamp is touched", Default: "false", Const: "Touches"},
	},
}
