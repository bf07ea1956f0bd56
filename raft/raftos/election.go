package raftos

import "github.com/multigrain/multigrain/modules"

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// One is the acting server; At is a receiver I, a sender J and a message K between them.
type (
	One = modules.One[Server]
	At  = modules.At[Server]
)

var (
	each      = modules.Each[Server](Servers)
	positions = modules.Positions[Server](Servers, MaxQueue)
)

// Timeout makes a follower a candidate, which asks the others for their votes.
//
// Section 5.2. Code: Follower.start_election, Candidate.start.
var Timeout = Action[One]{
	Name:   "Timeout",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Follower && s.Term[p.I] < MaxTerm },
	Effect: func(s, n *State, p One) {
		n.become(p.I, Candidate)
		n.Term[p.I] = s.Term[p.I] + 1
		n.Vote[p.I] = p.I
		n.Votes[p.I] = 1
		last := s.last(p.I)
		for j := range Server(Servers) {
			if j != p.I {
				n.Net.Send(p.I, j, Msg{Kind: RequestVote, Term: n.Term[p.I], Index: last, LogTerm: s.termAt(p.I, last)})
			}
		}
	},
}

// GiveUp makes a candidate a follower of the same term, without a vote in it.
//
// Code: Candidate.election_timer.
var GiveUp = Action[One]{
	Name:   "GiveUp",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Candidate },
	Effect: func(s, n *State, p One) { n.toFollower(p.I) },
}

// HandleVote answers a request, if the follower has no vote. Other roles only take the term over.
//
// Sections 5.2, 5.4.1. Code: Follower.on_receive_request_vote.
var HandleVote = Action[At]{
	Name:   "HandleVote",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), RequestVote) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), RequestVote)
		if !n.validate(p.I, p.J, &m) || s.Role[p.I] != Follower || n.Vote[p.I] != None {
			return
		}
		granted := s.isUpToDate(p.I, &m)
		if granted {
			n.Vote[p.I] = p.J
		}
		n.Net.Send(p.I, p.J, Msg{Kind: RequestVoteResponse, Term: n.Term[p.I], Success: granted})
	},
}

// isUpToDate reports whether the log of a candidate is at least as up to date as i's.
func (s *State) isUpToDate(i Server, m *Msg) bool {
	last := s.last(i)
	own := s.termAt(i, last)
	return m.LogTerm > own || m.LogTerm == own && m.Index >= last
}

// HandleVoteResponse counts a vote of any term, also a second one of the same server.
//
// Section 5.2. Code: Candidate.on_receive_request_vote_response.
var HandleVoteResponse = Action[At]{
	Name:   "HandleVoteResponse",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), RequestVoteResponse) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), RequestVoteResponse)
		n.validate(p.I, p.J, &m)
		if n.Role[p.I] != Candidate || !m.Success || repaired && m.Term != n.Term[p.I] {
			return
		}
		n.Votes[p.I] = s.Votes[p.I] + 1
		if isMajority(n.Votes[p.I]) {
			n.lead(p.I)
		}
	},
}

// lead makes i a leader, which sends a heartbeat.
//
// Code: State.to_leader, Leader.start.
func (n *State) lead(i Server) {
	n.become(i, Leader)
	n.Lead[i] = i
	for j := range Server(Servers) {
		if j != i {
			n.Next[i][j] = n.last(i) + 1
		}
	}
	n.sendAppends(i)
}
