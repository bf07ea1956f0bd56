package reference

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Restart crashes a server and starts it again: term, vote and log survive.
// RaftS Restart(i); figure 2, "Volatile state".
var Restart = Action[One]{
	Name:   "Restart",
	Params: each,
	Effect: func(s, n *State, p One) {
		n.Role[p.I] = Follower
		n.Votes[p.I] = 0
		n.Commit[p.I] = 0
		n.resetProgress(p.I)
	},
}

// Drop loses the first message from a server to another.
// RaftS Drop(i, j): here too the sender comes first.
var Drop = Action[Pair]{
	Name:   "Drop",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return !s.Msgs.Empty(p.I, p.J)
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Lose(p.I, p.J, 1)
	},
}

var faultsRestartDrop = grains.Grain[State]{
	Name:    "restart-drop",
	Doc:     "a server crashes and starts again in one step; the first message of a channel is lost",
	Covers:  []string{"faults"},
	Actions: Actions{&Restart, &Drop},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("crashes", &Restart),
		modules.Spend[State]("drops", &Drop),
	},
}
