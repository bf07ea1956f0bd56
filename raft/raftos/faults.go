package raftos

// Lose loses a message from J to I.
var Lose = Action[At]{
	Name:   "Lose",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.isInFlight(p) },
	Effect: func(s, n *State, p At) { n.Net.Lose(p.J, p.I, int(p.K)) },
}

// Duplicate puts a second copy of a message from J to I in flight.
var Duplicate = Action[At]{
	Name:   "Duplicate",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.isInFlight(p) },
	Effect: func(s, n *State, p At) { n.Net.Duplicate(p.J, p.I, int(p.K)) },
}

func (s *State) isInFlight(p At) bool {
	return s.Net.Is(p.J, p.I, int(p.K), RequestVote, RequestVoteResponse, AppendEntries, AppendEntriesResponse)
}

// Restart crashes a server and starts it again with its files. It forgets its vote, and applies its
// log from the beginning. What is in flight stays.
//
// Figure 2, "Persistent state on all servers". Code: State.__init__, Follower.init_storage.
var Restart = Action[One]{
	Name:   "Restart",
	Params: each,
	Effect: func(s, n *State, p One) {
		n.toFollower(p.I)
		n.Commit[p.I] = 0
		n.Applied[p.I] = 0
	},
}
