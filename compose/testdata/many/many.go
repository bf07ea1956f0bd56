// Package many has many nodes. Two hands go up from node 0, the second not beyond the first. And
// guests join from both ends, those from the left with the note 1, those from the right with 2.
package many

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// What a manifest sets.
const (
	Nodes  = 2
	Guests = 2
)

type (
	// Node has two bytes, since a byte with a "none" holds 128.
	Node int16
	// Guest is in sets.
	Guest int8
)

// State has an array with an element for each node.
type State struct {
	First, Second Node
	Passed        [Nodes]bool // by the first hand
	In            modules.Set[Guest]
	Notes         modules.Map[Guest, uint8, [Guests]uint8]
}

// First moves the first hand to the next node.
var First = modules.Action[State, modules.One[Node]]{
	Name:   "First",
	Params: modules.Each[Node](Nodes),
	Guard:  func(s *State, p modules.One[Node]) bool { return p.I == s.First+1 },
	Effect: func(s, n *State, p modules.One[Node]) {
		n.First = p.I
		n.Passed[p.I] = true
	},
}

// Second moves the second hand to a node that the first one has passed.
var Second = modules.Action[State, modules.One[Node]]{
	Name:   "Second",
	Params: modules.Each[Node](Nodes),
	Guard:  func(s *State, p modules.One[Node]) bool { return p.I == s.Second+1 && s.Passed[p.I] },
	Effect: func(s, n *State, p modules.One[Node]) { n.Second = p.I },
}

// Join lets a guest join who is next from the left or from the right.
var Join = modules.Action[State, modules.Pair[Guest]]{
	Name: "Join",
	Params: func(yield func(modules.Pair[Guest]) bool) {
		for g := range Guest(Guests) {
			for side := range Guest(2) {
				if !yield(modules.Pair[Guest]{I: g, J: side}) {
					return
				}
			}
		}
	},
	Guard: func(s *State, p modules.Pair[Guest]) bool {
		if s.In.Has(p.I) || s.Notes.Has(p.I) {
			return false
		}
		for g := range Guest(Guests) {
			outer := p.J == 0 && g < p.I || p.J == 1 && g > p.I
			if outer && (!s.In.Has(g) || s.Notes.At(g) != uint8(p.J)+1) {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *State, p modules.Pair[Guest]) {
		n.In.Add(p.I)
		n.Notes.Put(p.I, uint8(p.J)+1)
	},
}

// System is the catalog.
var System = grains.System[State]{
	Name:    "many",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "hands"}, {Name: "party", Optional: true}},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Covers: []string{"hands"}, Actions: []modules.AnyAction[State]{&First, &Second}},
		{Name: "baseline", Covers: []string{"party"}, Actions: []modules.AnyAction[State]{&Join}},
	},
	Invariants: []modules.Invariant[State]{{ID: "Behind", Doc: "The second hand is not beyond the first.",
		State: func(s *State) bool { return s.Second <= s.First }}},
	Bounds: []grains.Bound{
		{Name: "nodes", Min: 1, Max: 40000, Default: 2, Const: "Nodes"},
		{Name: "guests", Min: 1, Max: 64, Default: 2, Const: "Guests"},
	},
}
