package paxos

import "github.com/multigrain/multigrain/grains"

// Accept is phase 2b: an acceptor votes for a proposal, unless it takes part in a later ballot.
var Accept = Action[At]{
	Name:   "Accept",
	Params: fromServer,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), ACCEPT) && !s.Decided[p.I] &&
			(AcceptAny || s.Ballot[p.I] <= s.Msgs.Peek(p.J, p.I, int(p.K), ACCEPT).Ballot)
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), ACCEPT)
		n.Ballot[p.I] = m.Ballot
		n.Accepted[p.I] = Vote{m.Ballot, m.Value}
		n.Msgs.Send(p.I, p.J, Msg{Kind: ACCEPTED, Ballot: m.Ballot})
	},
}

// CountAccepted counts a vote. With a quorum the value is decided, and its client learns it.
var CountAccepted = Action[At]{
	Name:   "CountAccepted",
	Params: fromServer,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), ACCEPTED) && !s.Decided[p.I] &&
			s.Ballot[p.I] == s.Msgs.Peek(p.J, p.I, int(p.K), ACCEPTED).Ballot
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), ACCEPTED)
		n.Accepts[p.I].Add(p.J)
		if n.Accepts[p.I].IsQuorum(Servers) {
			n.Decided[p.I] = true
			n.tell(p.I, Msg{Kind: DECIDED, Ballot: m.Ballot, Value: s.Proposal[p.I]})
			n.Msgs.Send(p.I, Servers+Node(s.Proposal[p.I])-1, Msg{Kind: PUTOK})
		}
	},
}

// Learn takes a decision.
var Learn = Action[At]{
	Name:   "Learn",
	Params: fromServer,
	Guard:  func(s *State, p At) bool { return s.Msgs.Is(p.J, p.I, int(p.K), DECIDED) && !s.Decided[p.I] },
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), DECIDED)
		n.Ballot[p.I] = m.Ballot
		n.Accepted[p.I] = Vote{m.Ballot, m.Value}
		n.Decided[p.I] = true
	},
}

// Answer answers a query with the decision.
var Answer = Action[At]{
	Name:   "Answer",
	Params: fromClient,
	Guard:  func(s *State, p At) bool { return s.Msgs.Is(p.J, p.I, int(p.K), GET) && s.Decided[p.I] },
	Effect: func(s, n *State, p At) {
		n.Msgs.Recv(p.J, p.I, int(p.K), GET)
		n.Msgs.Send(p.I, p.J, Msg{Kind: GETOK, Value: s.Accepted[p.I].Value})
	},
}

var acceptBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "every message is a step",
	Covers:  []string{"accept"},
	Actions: Actions{&Accept, &CountAccepted, &Learn, &Answer},
}

// TakePutOK ends a put. The client queries the next server, and how many calls of each client have
// returned is kept for the property.
var TakePutOK = Action[At]{
	Name:   "TakePutOK",
	Params: toClient,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), PUTOK) && s.Phase[p.I-Servers] == Putting
	},
	Effect: func(s, n *State, p At) {
		c := p.I - Servers
		n.Msgs.Recv(p.J, p.I, int(p.K), PUTOK)
		n.Phase[c] = Getting
		for d := range Clients {
			n.Returned[c][d] = uint8(n.Phase[d])
		}
		n.Msgs.Send(p.I, (c+1)%Servers, Msg{Kind: GET})
	},
}

// TakeGetOK ends a query.
var TakeGetOK = Action[At]{
	Name:   "TakeGetOK",
	Params: toClient,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), GETOK) && s.Phase[p.I-Servers] == Getting
	},
	Effect: func(s, n *State, p At) {
		n.Phase[p.I-Servers] = Done
		n.Read[p.I-Servers] = n.Msgs.Recv(p.J, p.I, int(p.K), GETOK).Value
	},
}

var clientsBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"clients"},
	Actions: Actions{&TakePutOK, &TakeGetOK},
}
