package reference

import "github.com/multigrain/multigrain/modules"

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// One is an acting server, Pair an acting server and its peer.
type (
	One  = modules.One[Server]
	Pair = modules.Pair[Server]
)

var (
	each     = modules.Each[Server](Servers)
	eachPair = modules.EachPair[Server](Servers)
)

// Timeout makes a server that does not lead a candidate of the next term, which votes for itself.
// RaftS Timeout(i); figure 2, "Candidates (§5.2)".
var Timeout = Action[One]{
	Name:   "Timeout",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Role[p.I] != Leader && s.Term[p.I] < MaxTerm
	},
	Effect: func(s, n *State, p One) {
		n.Term[p.I] = s.Term[p.I] + 1
		n.Role[p.I] = Candidate
		n.Voted[p.I] = p.I
		n.Votes[p.I] = modules.SetOf(p.I)
	},
}

// SendRV asks a server for its vote, while it is not known to have given it. A request may be
// repeated. RaftS SendRV(i, j); figure 2, "RequestVote RPC".
var SendRV = Action[Pair]{
	Name:   "SendRV",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.Role[p.I] == Candidate && s.room(p.I, p.J) && !s.Votes[p.I].Has(p.J)
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Send(p.I, p.J, Msg{
			Kind: RV, Term: s.Term[p.I], Index: s.lastIndex(p.I), LogTerm: s.lastTerm(p.I),
		})
	},
}

// RecvRV answers a request for a vote of a term that is not newer. The vote goes to a candidate of
// the same term whose log is at least as up to date, unless the server voted for another one or is
// no follower. RaftS RecvRV(j, i); figure 2, "RequestVote RPC, Receiver implementation" 1 and 2.
var RecvRV = Action[Pair]{
	Name:   "RecvRV",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.Msgs.Is(p.J, p.I, RV) && s.room(p.I, p.J) && s.Msgs.Head(p.J, p.I).Term <= s.Term[p.I]
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, RV)
		grant := m.Term == s.Term[p.I] && s.Role[p.I] == Follower &&
			(s.Voted[p.I] == Nil || s.Voted[p.I] == p.J) && s.upToDate(p.I, &m)
		if grant {
			n.Voted[p.I] = p.J
		}
		n.Msgs.Send(p.I, p.J, Msg{Kind: RVR, Term: s.Term[p.I], OK: grant})
	},
}

// upToDate reports whether the candidate's log, described by m, is at least as up to date as i's
// (section 5.4.1).
func (s *State) upToDate(i Server, m *Msg) bool {
	last := s.lastTerm(i)
	return m.LogTerm > last || m.LogTerm == last && m.Index >= s.lastIndex(i)
}

// RecvRVR counts a vote for a candidate of the same term; a refusal and a stale answer are taken
// and forgotten. RaftS RecvRVR(j, i); section 5.2.
var RecvRVR = Action[Pair]{
	Name:   "RecvRVR",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.Msgs.Is(p.J, p.I, RVR) && s.Msgs.Head(p.J, p.I).Term <= s.Term[p.I]
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, RVR)
		if m.OK && m.Term == s.Term[p.I] && s.Role[p.I] == Candidate {
			n.Votes[p.I].Add(p.J)
		}
	},
}

// BecomeLeader makes a candidate with the votes of a quorum the leader of its term.
// RaftS BecomeLeader(i); figure 2, "Volatile state on leaders (Reinitialized after election)".
var BecomeLeader = Action[One]{
	Name:   "BecomeLeader",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Role[p.I] == Candidate && s.Votes[p.I].IsQuorum(Servers)
	},
	Effect: func(s, n *State, p One) {
		n.Role[p.I] = Leader
		n.Votes[p.I] = 0
		for j := range n.Next[p.I] {
			n.Next[p.I][j] = s.lastIndex(p.I) + 1
			n.Match[p.I][j] = 0
		}
	},
}

// UpdateTerm makes a server a follower of the newer term in the first message from a peer, of
// whatever kind. The message stays, for the action that takes it. RaftS UpdateTerm(j, i); figure 2,
// "Rules for Servers, All Servers".
var UpdateTerm = Action[Pair]{
	Name:   "UpdateTerm",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return !s.Msgs.Empty(p.J, p.I) && s.Msgs.Head(p.J, p.I).Term > s.Term[p.I]
	},
	Effect: func(s, n *State, p Pair) {
		n.Term[p.I] = s.Msgs.Head(p.J, p.I).Term
		n.Role[p.I] = Follower
		n.Voted[p.I] = Nil
		n.Votes[p.I] = 0
		n.resetProgress(p.I)
	},
}
