package reference

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
