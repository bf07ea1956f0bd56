// Package vault specifies a vault that opens with two keys. With one key it has three states, and
// with two more than can be explored.
package vault

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Shelves is the number of shelves.
const Shelves = 30

// State is the keys that are in the door, and the shelves that are empty.
type State struct {
	Keys  uint8
	Empty [Shelves]bool
}

type (
	None    = modules.None
	Actions = []modules.AnyAction[State]
)

// Turn puts a key into the door.
var Turn = modules.Action[State, None]{Name: "Turn", Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Keys < 2 },
	Effect: func(s, n *State, _ None) { n.Keys = s.Keys + 1 },
}

// Take empties a shelf.
var Take = modules.Action[State, modules.One[uint8]]{Name: "Take", Params: modules.Each[uint8](Shelves),
	Guard:  func(s *State, p modules.One[uint8]) bool { return s.Keys == 2 && !s.Empty[p.I] },
	Effect: func(s, n *State, p modules.One[uint8]) { n.Empty[p.I] = true },
}

// TakeAll empties all shelves in one step.
var TakeAll = modules.Action[State, None]{Name: "TakeAll", Params: modules.Once,
	Guard: func(s *State, _ None) bool { return s.Keys == 2 && !s.Empty[0] },
	Effect: func(s, n *State, _ None) {
		for k := range n.Empty {
			n.Empty[k] = true
		}
	},
}

var one = grains.Grain[State]{Name: "baseline", Covers: []string{"shelves"}, Actions: Actions{&Take}}

var all = grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: Actions{&TakeAll}}, one)

// System is the catalog.
var System = grains.System[State]{
	Name: "vault", Doc: "A vault.", Init: func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "door", Doc: "opens"}, {Name: "shelves", Doc: "are emptied"}},
	Grains: []grains.Grain[State]{one, all, {Name: "baseline", Covers: []string{"door"}, Actions: Actions{&Turn},
		Budgets: []modules.Budget[State]{modules.Spend[State]("keys", &Turn)}}},
	Invariants: []modules.Invariant[State]{
		{ID: "TwoKeys", Doc: "There are two keys.", State: func(s *State) bool { return s.Keys <= 2 }},
		{ID: "Kept", Doc: "The first two shelves are not both empty.", State: func(s *State) bool { return !s.Empty[0] || !s.Empty[1] }},
	},
	Bounds: []grains.Bound{{Name: "keys", Doc: "keys that are turned", Min: 0, Max: 2, Default: 2}},
}
