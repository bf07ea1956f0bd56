package ratis

// Lose ends a call of I to J: the request or the answer is lost, and I gets an exception. A
// candidate does without the answer. A leader sends entries again, as they were.
//
// Code: LeaderElection.waitForResults, LogAppenderDefault.sendAppendEntriesWithRetries.
var Lose = Action[Pair]{
	Name:   "Lose",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return s.calls(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		n.end(p.I, p.J)
		switch {
		case s.Role[p.I] == Candidate:
			n.decide(p.I)
		case s.Sent[p.I][p.J].Kind == AppendEntries:
			m := s.Sent[p.I][p.J]
			m.Kind = AppendEntries
			n.Sent[p.I][p.J] = m
			n.Net.Send(p.I, p.J, m)
		default:
			n.sendAppends(p.I)
		}
	},
}

// Restart closes a server and starts it again with its folder. Calls to it stay. A missing vote is
// read as one for nobody.
//
// Figure 2, "Persistent state on all servers". Code: RaftStorageMetadata.valueOf,
// ServerState.initialize.
var Restart = Action[One]{
	Name:   "Restart",
	Params: each,
	Effect: func(s, n *State, p One) {
		n.become(p.I, Follower)
		n.Fresh[p.I] = true
		n.Lead[p.I] = None
		n.Commit[p.I] = 0
		if s.Vote[p.I] == None {
			n.Vote[p.I] = Nobody
		}
	},
}
