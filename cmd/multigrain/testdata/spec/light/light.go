// Package light is what one sees of a lamp: it is off, dim or bright. Its kinds allow more and less
// than a lamp does.
package light

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// What a manifest sets: the initial value of On, and which steps there are.
const (
	Start = 0
	Kind  = "toggle"
)

// State has the light, 0 to 2, and a hidden number.
type State struct{ On, Hidden uint8 }

// Toggle switches the light to what comes next.
var Toggle = modules.Action[State, modules.None]{
	Name:   "Toggle",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return Kind == "toggle" },
	Effect: func(s, n *State, _ modules.None) { n.On = (s.On + 1) % 3 },
}

// Light switches the light on, once and for all.
var Light = modules.Action[State, modules.None]{
	Name:   "Light",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return Kind == "once" && s.On == 0 },
	Effect: func(s, n *State, _ modules.None) { n.On = 1 },
}

// Think changes what nobody sees. Think and Switch together toggle the light.
var Think = modules.Action[State, modules.None]{
	Name:   "Think",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return Kind == "thoughtful" && s.Hidden == 0 },
	Effect: func(s, n *State, _ modules.None) { n.Hidden = 1 },
}

// Switch switches the light after a thought.
var Switch = modules.Action[State, modules.None]{
	Name:   "Switch",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return s.Hidden == 1 },
	Effect: func(s, n *State, _ modules.None) { n.On, n.Hidden = (s.On+1)%3, 0 },
}

// Level is a value of the light.
type Level struct{ On uint8 }

// Set gives the light any value.
var Set = modules.Action[State, Level]{
	Name: "Set",
	Params: func(yield func(Level) bool) {
		for k := range uint8(10) {
			if !yield(Level{k}) {
				return
			}
		}
	},
	Guard:  func(s *State, p Level) bool { return Kind == "anything" },
	Effect: func(s, n *State, p Level) { n.On = p.On },
}

type actions = []modules.AnyAction[State]

// System is the catalog.
var System = grains.System[State]{
	Name:    "light",
	Doc:     "A light that is off, dim or bright.",
	Init:    func(yield func(State) bool) { yield(State{On: Start}) },
	Modules: []grains.Module{{Name: "light", Doc: "is switched"}},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Doc: "It is switched.", Covers: []string{"light"}, Actions: actions{&Toggle, &Light, &Think, &Switch, &Set},
			Budgets: []modules.Budget[State]{modules.Spend[State]("toggles", &Toggle)}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "Known", Doc: "The light has one of ten values.", State: func(s *State) bool { return s.On < 10 }},
	},
	Constraints: []modules.Invariant[State]{
		{ID: "off", Doc: "The light is off.", State: func(s *State) bool { return s.On == 0 }},
	},
	Bounds: []grains.Bound{
		{Name: "start", Doc: "The initial value.", Min: 0, Max: 1, Default: 0, Const: "Start"},
		{Name: "toggles", Doc: "How often the light is toggled.", Min: 0, Max: 9, Default: grains.Unlimited},
	},
	Options: []grains.Option{
		{Name: "kind", Doc: "Which steps there are.", Values: []string{"toggle", "once", "thoughtful", "anything"}, Default: "toggle", Const: "Kind"},
	},
}
