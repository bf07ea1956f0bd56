// Package switched is a specification for tests of the analysis whose options switch actions off, each in a way of its own.
package switched

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// What a manifest sets.
const (
	Lossy   = false
	Variant = "plain"
	Rounds  = 2
)

// State counts.
type State struct{ Sent, Lost, Round uint8 }

type (
	none    = modules.None
	action  = modules.Action[State, none]
	actions = []modules.AnyAction[State]
)

// Effects of the package.
func send(s, n *State, _ none) { n.Sent++ }
func lose(s, n *State, _ none) { n.Lost++ }

// Send is never off: states alone decide.
var Send = action{Name: "Send", Params: modules.Once, Effect: send,
	Guard: func(s *State, _ none) bool { return s.Sent < 3 }}

// Always has no guard.
var Always = action{Name: "Always", Params: modules.Once, Effect: send}

// Lose is off where a constant stands first.
var Lose = action{Name: "Lose", Params: modules.Once, Effect: lose,
	Guard: func(s *State, _ none) bool { return Lossy && s.Sent > s.Lost }}

// LoseLate is off where a constant stands last.
var LoseLate = action{Name: "LoseLate", Params: modules.Once, Effect: lose,
	Guard: func(s *State, _ none) bool { return s.Sent > s.Lost && Lossy }}

// Retry is off by a text, and by what a function makes of it.
var Retry = action{Name: "Retry", Params: modules.Once, Effect: send,
	Guard: func(s *State, _ none) bool {
		if !retries(s) {
			return false
		}
		return s.Lost > 0
	}}

func retries(s *State) bool {
	switch Variant {
	case "retrying":
		return true
	case "hesitant":
		return s.Round > 0
	}
	return false
}

// Forbidden is off by a rule.
var Forbidden = action{Name: "Forbidden", Params: modules.Once, Effect: send,
	Guard: func(s *State, _ none) bool { return s.Sent < 3 }}

// Turn is off where there are no rounds to take, which a bound says.
var Turn = action{Name: "Turn", Params: modules.Once, Effect: func(s, n *State, _ none) { n.Round++ },
	Guard: func(s *State, _ none) bool { return Rounds > 0 && s.Round < Rounds }}

// Unreachable is enabled in no state that the others reach, which constants do not say.
var Unreachable = action{Name: "Unreachable", Params: modules.Once, Effect: send,
	Guard: func(s *State, _ none) bool { return s.Sent > 200 }}

// Loops looks for something in a loop.
var Loops = action{Name: "Loops", Params: modules.Once, Effect: send,
	Guard: func(s *State, _ none) bool {
		found := false
		for k := range Rounds {
			if int(s.Sent) == k {
				found = true
			}
		}
		return found
	}}

// System is the catalog.
var System = grains.System[State]{
	Name:    "switched",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "sender"}, {Name: "extra", Optional: true}},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Covers: []string{"sender"},
			Actions: actions{&Send, &Always, &Lose, &LoseLate, &Retry, &Turn, &Unreachable, &Loops}},
		{Name: "baseline", Covers: []string{"extra"}, Actions: actions{&Forbidden}},
	},
	Rules: []modules.Rule[State]{modules.When(&Forbidden, func(s *State, _ none) bool { return Lossy })},
	Bounds: []grains.Bound{
		{Name: "rounds", Doc: "Rounds.", Min: 0, Max: 9, Default: 2, Const: "Rounds"},
	},
	Options: []grains.Option{
		{Name: "lossy", Doc: "Messages are lost.", Default: "false", Const: "Lossy"},
		{Name: "variant", Doc: "What the sender does.", Values: []string{"plain", "retrying", "hesitant"}, Default: "plain", Const: "Variant"},
	},
}
