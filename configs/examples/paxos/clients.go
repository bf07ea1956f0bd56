package paxos

// TakePutOK ends a put. The client queries the next server. The property keeps all clients' phases.
var TakePutOK = Action[At]{Name: "TakePutOK", Params: received,
	Guard: func(s *State, p At) bool { return s.Msgs.Arrived(p, PUTOK) && s.Phase[p.I-Servers] == Putting },
	Effect: func(s, n *State, p At) {
		c := p.I - Servers
		n.Msgs.Take(p, PUTOK)
		n.Phase[c] = Getting
		n.Returned[c] = n.Phase
		n.Msgs.Send(p.I, (c+1)%Servers, Msg{Kind: GET})
	},
}

// Answer lets a server answer a query with the decision.
var Answer = Action[At]{Name: "Answer", Params: received,
	Guard: func(s *State, p At) bool { return s.Msgs.Arrived(p, GET) && s.Decided[p.I] },
	Effect: func(s, n *State, p At) {
		n.Msgs.Take(p, GET)
		n.Msgs.Reply(p, Msg{Kind: GETOK, Value: s.Accepted[p.I].Value})
	},
}

// TakeGetOK ends a query.
var TakeGetOK = Action[At]{Name: "TakeGetOK", Params: received,
	Guard: func(s *State, p At) bool { return s.Msgs.Arrived(p, GETOK) && s.Phase[p.I-Servers] == Getting },
	Effect: func(s, n *State, p At) {
		n.Phase[p.I-Servers], n.Read[p.I-Servers] = Done, n.Msgs.Take(p, GETOK).Value
	},
}

// Query is Answer and TakeGetOK in one step, at the server.
var Query = Action[At]{Name: "Query", Params: received,
	Guard: func(s *State, p At) bool { return s.Msgs.Arrived(p, GET) && s.Decided[p.I] },
	Effect: func(s, n *State, p At) {
		n.Msgs.Take(p, GET)
		n.Phase[p.J-Servers], n.Read[p.J-Servers] = Done, s.Accepted[p.I].Value
	},
}
