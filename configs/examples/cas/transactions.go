package cas

import "github.com/multigrain/multigrain/modules"

// Short names for the vocabulary.
type (
	Action[P any] = modules.Action[State, P]
	Actions       = []modules.AnyAction[State]
	At            = modules.At[Node]
	One           = modules.One[Node]
)

// received is every message: from J to I.
var received = modules.Positions[Node](Servers, InFlight)

// Begin lets a server coordinate a transaction, in a ballot after all others.
var Begin = Action[One]{Name: "Begin", Params: modules.Each[Node](Servers),
	Guard: func(s *State, p One) bool { return s.Begun < Transactions },
	Effect: func(s, n *State, p One) {
		n.Begun++
		n.Ballot[p.I], n.Value[p.I], n.Latest[p.I], n.Seen[p.I] = n.Begun, 0, s.Accepted[p.I], s.Committed[p.I].Ballot
		n.Promises[p.I].Clear()
		n.Accepts[p.I].Clear()
		n.Promises[p.I].Add(p.I)
		n.promise(p.I, n.Begun)
		n.Msgs.Tell(p.I, Servers, Msg{Kind: PREPARE, Ballot: n.Begun})
	},
}

// promise keeps the ballot. With the mistake it is also the ballot of what was accepted before.
func (n *State) promise(i Node, b Ballot) {
	n.Promised[i] = b
	if !Split && n.Accepted[i].Value != 0 {
		n.Accepted[i].Ballot = b
	}
}

// Promise answers a later ballot with what was accepted and committed before it.
var Promise = Action[At]{Name: "Promise", Params: received,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Arrived(p, PREPARE) && s.Promised[p.I] < s.Msgs.Read(p, PREPARE).Ballot
	},
	Effect: func(s, n *State, p At) {
		b := n.Msgs.Take(p, PREPARE).Ballot
		n.promise(p.I, b)
		n.Msgs.Reply(p, Msg{Kind: PROMISE, Ballot: b, Accepted: s.Accepted[p.I], Committed: s.Committed[p.I]})
	},
}

// CountPromise counts an answer. With a majority the coordinator proposes what is in progress, if
// that is later than all commits it heard of, or its own value.
var CountPromise = Action[At]{Name: "CountPromise", Params: received,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Arrived(p, PROMISE) && s.Ballot[p.I] == s.Msgs.Read(p, PROMISE).Ballot && s.Value[p.I] == 0
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Take(p, PROMISE)
		n.Promises[p.I].Add(p.J)
		n.Seen[p.I] = max(s.Seen[p.I], m.Committed.Ballot)
		if m.Accepted.Ballot > s.Latest[p.I].Ballot {
			n.Latest[p.I] = m.Accepted
		}
		if !n.Promises[p.I].IsQuorumOf(majority) {
			return
		}
		n.Value[p.I] = s.Ballot[p.I]
		if n.Latest[p.I].Ballot > n.Seen[p.I] {
			n.Value[p.I] = n.Latest[p.I].Value
		}
		n.Msgs.Tell(p.I, Servers, Msg{Kind: PROPOSE, Ballot: s.Ballot[p.I], Value: n.Value[p.I]})
		if s.Promised[p.I] <= s.Ballot[p.I] {
			n.Accepted[p.I] = Vote{s.Ballot[p.I], n.Value[p.I]}
			n.Accepts[p.I].Add(p.I)
		}
	},
}

// Accept takes a value unless a later ballot was promised.
var Accept = Action[At]{Name: "Accept", Params: received,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Arrived(p, PROPOSE) && s.Promised[p.I] <= s.Msgs.Read(p, PROPOSE).Ballot
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Take(p, PROPOSE)
		n.Promised[p.I] = m.Ballot
		n.Accepted[p.I] = Vote{m.Ballot, m.Value}
		n.Msgs.Reply(p, Msg{Kind: ACCEPT, Ballot: m.Ballot})
	},
}

// CountAccept counts an acceptance. With a majority the coordinator commits.
var CountAccept = Action[At]{Name: "CountAccept", Params: received,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Arrived(p, ACCEPT) && s.Ballot[p.I] == s.Msgs.Read(p, ACCEPT).Ballot && s.Done[s.Ballot[p.I]] == 0
	},
	Effect: func(s, n *State, p At) {
		n.Msgs.Take(p, ACCEPT)
		n.Accepts[p.I].Add(p.J)
		if b := s.Ballot[p.I]; n.Accepts[p.I].IsQuorumOf(majority) {
			n.Done[b] = s.Value[p.I]
			n.Msgs.Tell(p.I, Servers, Msg{Kind: COMMIT, Ballot: b, Value: s.Value[p.I]})
			n.commit(p.I, Vote{b, s.Value[p.I]})
		}
	},
}

// Commit takes a commit.
var Commit = Action[At]{Name: "Commit", Params: received,
	Guard: func(s *State, p At) bool { return s.Msgs.Arrived(p, COMMIT) },
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Take(p, COMMIT)
		n.commit(p.I, Vote{m.Ballot, m.Value})
	},
}

// commit forgets the proposal in progress unless its ballot is later.
func (n *State) commit(i Node, v Vote) {
	if v.Ballot > n.Committed[i].Ballot {
		n.Committed[i] = v
	}
	if n.Accepted[i].Ballot <= v.Ballot {
		n.Accepted[i] = Vote{}
	}
}
