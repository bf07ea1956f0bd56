package paxos

import "github.com/multigrain/multigrain/modules"

// Short names for the vocabulary.
type (
	Action[P any] = modules.Action[State, P]
	Actions       = []modules.AnyAction[State]
	At            = modules.At[Node]
)

// received is every message: from J to I.
var received = modules.Positions[Node](nodes, InFlight)

// Propose is phase 1a: a server takes the value of a client and begins a ballot.
var Propose = Action[At]{Name: "Propose", Params: received,
	Guard: func(s *State, p At) bool { return s.open(p, PUT) && s.Proposal[p.I] == 0 },
	Effect: func(s, n *State, p At) {
		n.Proposal[p.I] = n.Msgs.Take(p, PUT).Value
		n.Ballot[p.I] = (s.Ballot[p.I]/Servers+1)*Servers + Ballot(p.I)
		n.Prepares[p.I].Put(p.I, s.Accepted[p.I])
		n.Msgs.Tell(p.I, Servers, Msg{Kind: PREPARE, Ballot: n.Ballot[p.I]})
	},
}

// Promise is phase 1b: an acceptor takes part in a later ballot and answers with its last vote.
var Promise = Action[At]{Name: "Promise", Params: received,
	Guard: func(s *State, p At) bool { return s.open(p, PREPARE) && s.Ballot[p.I] < s.Msgs.Read(p, PREPARE).Ballot },
	Effect: func(s, n *State, p At) {
		n.Ballot[p.I] = n.Msgs.Take(p, PREPARE).Ballot
		n.Msgs.Reply(p, Msg{Kind: PREPARED, Ballot: n.Ballot[p.I], Last: s.Accepted[p.I]})
	},
}

// CountPrepared is phase 2a: a leader counts an answer. With a quorum it proposes the value of the
// latest vote, or its own where there is none.
var CountPrepared = Action[At]{Name: "CountPrepared", Params: received,
	Guard: func(s *State, p At) bool {
		return s.open(p, PREPARED) && s.Ballot[p.I] == s.Msgs.Read(p, PREPARED).Ballot
	},
	Effect: func(s, n *State, p At) {
		n.Prepares[p.I].Put(p.J, n.Msgs.Take(p, PREPARED).Last)
		if s.Prepares[p.I].Keys().IsQuorumOf(prepared) || !n.Prepares[p.I].Keys().IsQuorumOf(prepared) {
			return
		}
		latest := Vote{Value: s.Proposal[p.I]}
		for k := range Node(Servers) {
			if !OwnValue && n.Prepares[p.I].Has(k) && n.Prepares[p.I].At(k).Ballot > latest.Ballot {
				latest = n.Prepares[p.I].At(k)
			}
		}
		n.Proposal[p.I], n.Accepted[p.I] = latest.Value, Vote{s.Ballot[p.I], latest.Value}
		n.Accepts[p.I].Add(p.I)
		n.Msgs.Tell(p.I, Servers, Msg{Kind: ACCEPT, Ballot: s.Ballot[p.I], Value: latest.Value})
	},
}
