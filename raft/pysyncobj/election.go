package pysyncobj

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

// Timeout is a tick after the election deadline: i asks for votes. A node without any connection
// waits.
//
// Section 5.2. Code: _onTick, __connectedToAnyone.
var Timeout = Action[One]{
	Name:   "Timeout",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Role[p.I] != Leader && s.Term[p.I] < MaxTerm && s.anyLink(p.I)
	},
	Effect: func(s, n *State, p One) {
		n.campaign(p.I)
		n.tick(p.I, false)
	},
}

// anyLink reports whether i is connected to another server.
func (s *State) anyLink(i Server) bool {
	for j := range Server(Servers) {
		if s.linked(i, j) {
			return true
		}
	}
	return false
}

// campaign makes i a candidate of the next term.
func (n *State) campaign(i Server) {
	n.become(i, Candidate)
	n.Lead[i] = None
	n.setTerm(i, n.Term[i]+1, i)
	n.Votes[i] = 1
	last := n.last(i)
	for j := range Server(Servers) {
		if j != i {
			n.Net.Send(i, j, Msg{Kind: RequestVote, Term: n.Term[i], Index: last, LogTerm: n.termAt(i, last)})
		}
	}
}

// HandleVote grants a vote, or answers nothing. A newer term makes i a follower, and whether the
// log is old is asked after that.
//
// Sections 5.2, 5.4.1. Code: __onMessageReceived, request_vote.
var HandleVote = Action[Pair]{
	Name:   "HandleVote",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, RequestVote) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, RequestVote)
		if m.Term > s.Term[p.I] {
			n.become(p.I, Follower)
			n.setTerm(p.I, m.Term, None)
			n.Lead[p.I] = None
		}
		if n.Role[p.I] != Leader && m.Term >= n.Term[p.I] && n.isUpToDate(p.I, &m) && n.Vote[p.I] == None {
			n.setTerm(p.I, n.Term[p.I], p.J)
			n.Net.Send(p.I, p.J, Msg{Kind: ResponseVote, Term: m.Term})
		}
		n.settle(p.I)
	},
}

// isUpToDate reports whether the log of a candidate is at least as up to date as i's.
func (s *State) isUpToDate(i Server, m *Msg) bool {
	last := s.last(i)
	own := s.termAt(i, last)
	return m.LogTerm > own || m.LogTerm == own && m.Index >= last
}

// HandleVoteReply counts a vote. A majority makes a leader.
//
// Section 5.2. Code: __onMessageReceived, response_vote.
var HandleVoteReply = Action[Pair]{
	Name:   "HandleVoteReply",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, ResponseVote) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, ResponseVote)
		if s.Role[p.I] == Candidate && m.Term == s.Term[p.I] {
			n.Votes[p.I] = s.Votes[p.I] + 1
			if n.Votes[p.I] >= Quorum {
				n.lead(p.I)
			}
		}
		n.settle(p.I)
	},
}

// lead makes i a leader, which begins its term with a NO_OP and sends it.
//
// Code: __onBecomeLeader.
func (n *State) lead(i Server) {
	n.become(i, Leader)
	n.Lead[i] = i
	for j := range Server(Servers) {
		if j != i {
			n.Next[i][j] = n.last(i) + 1
		}
	}
	n.Log[i].Append(Entry{Term: n.Term[i]})
	if !Batch {
		n.sendAppends(i)
	}
	n.sendAppends(i)
}

// Transfer asks the follower J to campaign at once, if it has all entries.
//
// Dissertation, section 3.10. Code: transferLeadership, from 0.3.16 on.
var Transfer = Action[Pair]{
	Name:   "Transfer",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return fixed16 && s.Role[p.I] == Leader && s.linked(p.I, p.J) && s.Match[p.I][p.J] == s.last(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		n.Net.Send(p.I, p.J, Msg{Kind: TimeoutNow, Term: s.Term[p.I]})
	},
}

// HandleTransfer lets i campaign in its next tick, if the leader that it knows asks for that.
//
// Code: __onMessageReceived, timeout_now; __transferInProgress.
var HandleTransfer = Action[Pair]{
	Name:   "HandleTransfer",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.Net.Is(p.J, p.I, TimeoutNow) && s.Term[p.I] < MaxTerm
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, TimeoutNow)
		if m.Term >= s.Term[p.I] && s.Lead[p.I] == p.J {
			n.campaign(p.I)
		}
		n.tick(p.I, false)
	},
}
