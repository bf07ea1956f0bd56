package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Drop loses a message from J to I. UDP.
var Drop = Action[At]{
	Name:   "Drop",
	Params: positions,
	Guard:  func(s *State, p At) bool { return int(p.K) <= s.inFlight(p.J, p.I) },
	Effect: func(s, n *State, p At) { n.Bag.Lose(p.J, p.I, int(p.K)) },
}

// Duplicate puts a second copy of a message from J to I in flight. UDP.
var Duplicate = Action[At]{
	Name:   "Duplicate",
	Params: positions,
	Guard:  func(s *State, p At) bool { return int(p.K) <= s.inFlight(p.J, p.I) },
	Effect: func(s, n *State, p At) { n.Bag.Duplicate(p.J, p.I, int(p.K)) },
}

var networkDropDuplicate = grains.Grain[State]{
	Name:    "drop-duplicate",
	Doc:     "UDP loses and duplicates messages.",
	Covers:  []string{"network"},
	Actions: Actions{&Drop, &Duplicate},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("drops", &Drop),
		modules.Spend[State]("duplicates", &Duplicate),
	},
}
