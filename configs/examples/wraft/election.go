package wraft

import "github.com/multigrain/multigrain/modules"

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// One is the acting server; Pair is a receiver I and a sender J.
type (
	One  = modules.One[Server]
	Pair = modules.Pair[Server]
)

var (
	each     = modules.Each[Server](Servers)
	eachPair = modules.EachPair[Server](Servers)
)

// Timeout lets a server that does not lead ask for votes.
//
// Section 5.2. Code: raft_periodic, raft_become_candidate, raft_send_requestvote.
var Timeout = Action[One]{
	Name:   "Timeout",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] != Leader && s.Term[p.I] < MaxTerm },
	Effect: func(s, n *State, p One) {
		n.become(p.I, Candidate)
		n.Term[p.I]++
		n.Vote[p.I] = p.I
		n.Votes[p.I][p.I] = true
		for j := range Server(Servers) {
			if j != p.I {
				n.send(p.I, j, Msg{Kind: RequestVote, Term: n.Term[p.I], Index: n.last(p.I), LogTerm: n.lastTerm(p.I)})
			}
		}
	},
}

// lastTerm returns the term of i's last entry. It is 0 if that entry is compacted.
//
// Code: raft_get_last_log_term.
func (s *State) lastTerm(i Server) Number {
	switch {
	case s.Log[i].Len() > 0:
		return s.termAt(i, s.last(i))
	case repairsLastTerm:
		return s.SnapTerm[i]
	}
	return 0
}

// HandleVote answers a request. A leader refuses it, and does not take its term over.
//
// Sections 5.2, 5.4.1. Code: raft_recv_requestvote, __should_grant_vote.
var HandleVote = Action[Pair]{
	Name:   "HandleVote",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, RequestVote) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, RequestVote)
		if s.Role[p.I] != Leader && m.Term > s.Term[p.I] {
			n.adopt(p.I, m.Term)
		}
		granted := s.Role[p.I] != Leader && m.Term == n.Term[p.I] && n.Vote[p.I] == None && n.isUpToDate(p.I, &m)
		if granted {
			n.Vote[p.I] = p.J
		}
		n.send(p.I, p.J, Msg{Kind: RequestVoteResponse, Term: n.Term[p.I], Success: granted})
	},
}

// isUpToDate reports whether the log of a candidate is at least as up to date as i's.
func (s *State) isUpToDate(i Server, m *Msg) bool {
	k := s.last(i)
	own := s.SnapTerm[i]
	switch {
	case k == 0:
		return true
	case s.has(i, k):
		own = s.termAt(i, k)
	case k != s.SnapIndex[i]:
		return false
	}
	return m.LogTerm > own || m.LogTerm == own && m.Index >= k
}

// HandleVoteResponse counts a vote. A majority makes a leader, which sends an append to everyone.
//
// Section 5.2. Code: raft_recv_requestvote_response, raft_become_leader.
var HandleVoteResponse = Action[Pair]{
	Name:   "HandleVoteResponse",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, RequestVoteResponse) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, RequestVoteResponse)
		switch {
		case s.Role[p.I] != Candidate || m.Term < s.Term[p.I]:
			return
		case m.Term > s.Term[p.I]:
			n.adopt(p.I, m.Term)
			return
		case !m.Success:
			return
		}
		n.Votes[p.I][p.J] = true
		have := 0
		for _, granted := range n.Votes[p.I] {
			if granted {
				have++
			}
		}
		if have >= Quorum {
			n.lead(p.I)
		}
	},
}

// lead makes i a leader.
func (n *State) lead(i Server) {
	n.become(i, Leader)
	for j := range Server(Servers) {
		if j != i {
			n.Next[i][j] = n.last(i) + 1
			n.sendAppend(i, j)
		}
	}
}
