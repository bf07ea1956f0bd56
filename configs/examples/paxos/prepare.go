package paxos

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Short names for the vocabulary.
type (
	Action[P any] = modules.Action[State, P]
	Actions       = []modules.AnyAction[State]
	At            = modules.At[Node]
	Party         = modules.Party[Node]
)

// fromServer is every message of a server to another one: from J to I.
var fromServer = modules.Positions[Node](Servers, InFlight)

// fromClient is every message of a client J to a server I. toClient is the reverse.
func fromClient(yield func(At) bool) {
	for p := range toClient {
		if !yield(At{I: p.J, J: p.I, K: p.K}) {
			return
		}
	}
}

func toClient(yield func(At) bool) {
	for c := range Clients {
		for j := range Node(Servers) {
			for k := range uint8(InFlight) {
				if !yield(At{I: clientOf(c), J: j, K: k + 1}) {
					return
				}
			}
		}
	}
}

// Propose is phase 1a: a server takes the value of a client and begins a ballot.
var Propose = Action[At]{
	Name:   "Propose",
	Params: fromClient,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), PUT) && !s.Decided[p.I] && s.Proposal[p.I] == 0
	},
	Effect: func(s, n *State, p At) {
		n.Proposal[p.I] = n.Msgs.Recv(p.J, p.I, int(p.K), PUT).Value
		n.Ballot[p.I] = (s.Ballot[p.I]/Servers+1)*Servers + Ballot(p.I)
		n.Prepares[p.I].Put(p.I, s.Accepted[p.I])
		n.tell(p.I, Msg{Kind: PREPARE, Ballot: n.Ballot[p.I]})
	},
}

// Promise is phase 1b: an acceptor takes part in a later ballot and answers with its last vote.
var Promise = Action[At]{
	Name:   "Promise",
	Params: fromServer,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), PREPARE) && !s.Decided[p.I] &&
			s.Ballot[p.I] < s.Msgs.Peek(p.J, p.I, int(p.K), PREPARE).Ballot
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), PREPARE)
		n.Ballot[p.I] = m.Ballot
		n.Msgs.Send(p.I, p.J, Msg{Kind: PREPARED, Ballot: m.Ballot, Last: s.Accepted[p.I]})
	},
}

// CountPrepared is phase 2a: a leader counts an answer. With a quorum it proposes the value of the
// latest vote, or its own where there is none.
var CountPrepared = Action[At]{
	Name:   "CountPrepared",
	Params: fromServer,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), PREPARED) && !s.Decided[p.I] &&
			s.Ballot[p.I] == s.Msgs.Peek(p.J, p.I, int(p.K), PREPARED).Ballot
	},
	Effect: func(s, n *State, p At) {
		n.count(p.I, p.J, n.Msgs.Recv(p.J, p.I, int(p.K), PREPARED).Last)
	},
}

// count counts the answer of j to leader i.
func (n *State) count(i, j Node, last Vote) {
	had := n.Prepares[i].Keys()
	n.Prepares[i].Put(j, last)
	if had.IsQuorum(Servers) || !n.Prepares[i].Keys().IsQuorum(Servers) {
		return
	}
	latest := Vote{Value: n.Proposal[i]}
	for k := range Node(Servers) {
		if !OwnValue && n.Prepares[i].Has(k) && n.Prepares[i].At(k).Ballot > latest.Ballot {
			latest = n.Prepares[i].At(k)
		}
	}
	n.Proposal[i] = latest.Value
	n.Accepted[i] = Vote{n.Ballot[i], latest.Value}
	n.Accepts[i].Add(i)
	n.tell(i, Msg{Kind: ACCEPT, Ballot: n.Ballot[i], Value: latest.Value})
}

var prepareBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "every message is a step",
	Covers:  []string{"prepare"},
	Actions: Actions{&Propose, &Promise, &CountPrepared},
}

// CountQuorum is CountPrepared for a smallest quorum S in one step.
var CountQuorum = Action[Party]{
	Name:   "CountQuorum",
	Params: modules.Quorums[Node](Servers),
	Guard: func(s *State, p Party) bool {
		if s.Decided[p.I] || s.Prepares[p.I].Len() != 1 || p.S.Without(p.I).IsQuorum(Servers) {
			return false
		}
		for j := range Node(Servers) {
			if j != p.I && p.S.Has(j) && s.answer(p.I, j) == 0 {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *State, p Party) {
		for j := range Node(Servers) {
			if j != p.I && p.S.Has(j) {
				n.count(p.I, j, n.Msgs.Recv(j, p.I, s.answer(p.I, j), PREPARED).Last)
			}
		}
	},
}

// answer returns the position of the answer of j to the ballot of i, 0 where there is none.
func (s *State) answer(i, j Node) int {
	for k := range InFlight {
		if s.Msgs.Is(j, i, k+1, PREPARED) && s.Msgs.Peek(j, i, k+1, PREPARED).Ballot == s.Ballot[i] {
			return k + 1
		}
	}
	return 0
}

var prepareCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Doc:     "a leader counts a quorum of answers in one step",
	Actions: Actions{&Propose, &Promise, &CountQuorum},
}, prepareBaseline)
