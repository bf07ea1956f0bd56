package paxos

// Accept is phase 2b: an acceptor votes for a proposal, unless it takes part in a later ballot.
var Accept = Action[At]{Name: "Accept", Params: received,
	Guard: func(s *State, p At) bool {
		return s.open(p, ACCEPT) && (AcceptAny || s.Ballot[p.I] <= s.Msgs.Read(p, ACCEPT).Ballot)
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Take(p, ACCEPT)
		n.Ballot[p.I], n.Accepted[p.I] = m.Ballot, Vote{m.Ballot, m.Value}
		n.Msgs.Reply(p, Msg{Kind: ACCEPTED, Ballot: m.Ballot})
	},
}

// CountAccepted counts a vote. With a quorum the value is decided, and its client learns it.
var CountAccepted = Action[At]{Name: "CountAccepted", Params: received,
	Guard: func(s *State, p At) bool {
		return s.open(p, ACCEPTED) && s.Ballot[p.I] == s.Msgs.Read(p, ACCEPTED).Ballot
	},
	Effect: func(s, n *State, p At) {
		n.Msgs.Take(p, ACCEPTED)
		n.Accepts[p.I].Add(p.J)
		if v := s.Proposal[p.I]; n.Accepts[p.I].IsQuorumOf(accepted) {
			n.Decided[p.I] = true
			n.Msgs.Tell(p.I, Servers, Msg{Kind: DECIDED, Ballot: s.Ballot[p.I], Value: v})
			n.Msgs.Send(p.I, Servers+Node(v)-1, Msg{Kind: PUTOK})
		}
	},
}

// Learn takes a decision.
var Learn = Action[At]{Name: "Learn", Params: received,
	Guard: func(s *State, p At) bool { return s.open(p, DECIDED) },
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Take(p, DECIDED)
		n.Ballot[p.I], n.Accepted[p.I], n.Decided[p.I] = m.Ballot, Vote{m.Ballot, m.Value}, true
	},
}
