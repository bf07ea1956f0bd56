package libraft

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

// Timeout lets a follower or a candidate ask for votes. A candidate that has won its pre-vote does
// not ask for one again.
//
// Section 5.2; dissertation, section 9.6. Code: tickFollower, tickCandidate, convertToCandidate.
var Timeout = Action[One]{
	Name:   "Timeout",
	Params: each,
	Guard: func(s *State, p One) bool {
		return (s.Role[p.I] == Follower || s.isCandidate(p.I)) && s.Term[p.I] < MaxTerm
	},
	Effect: func(s, n *State, p One) {
		n.campaign(p.I, s.Role[p.I] == Follower && PreVote || s.Role[p.I] == PreCandidate)
	},
}

// campaign asks the others for votes, or for what they would answer.
//
// Code: electionStart, electionSend.
func (n *State) campaign(i Server, pre bool) {
	if pre {
		n.become(i, PreCandidate)
	} else {
		n.become(i, Candidate)
		n.Term[i]++
		n.Vote[i] = i
	}
	n.Votes[i][i] = true
	m := Msg{Kind: RequestVote, Term: n.Term[i], Index: n.last(i), LogTerm: n.termAt(i, n.last(i)), PreVote: pre}
	if pre {
		m.Term++
	}
	n.Net.Tell(i, Servers, m)
}

// HandleVote answers a request. Who knows a leader refuses it, and does not take the term over.
//
// Sections 5.2, 5.4.1; dissertation, section 4.2.3. Code: recvRequestVote, electionVote.
var HandleVote = Action[Pair]{
	Name:   "HandleVote",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, RequestVote) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, RequestVote)
		if s.Role[p.I] == Unavailable {
			return
		}
		granted := s.Role[p.I] != Leader && s.Lead[p.I] == None && n.vote(p.I, p.J, &m)
		answer := Msg{Kind: RequestVoteResult, Term: n.Term[p.I], PreVote: m.PreVote, Granted: granted}
		if m.PreVote {
			answer.Term = m.Term
		}
		n.Net.Send(p.I, p.J, answer)
	},
}

// vote decides about a request that is not refused at once.
func (n *State) vote(i, j Server, m *Msg) bool {
	if !m.PreVote && m.Term > n.Term[i] {
		n.bump(i, m.Term)
	}
	if m.Term < n.Term[i] || !m.PreVote && n.Vote[i] != None && n.Vote[i] != j || !n.isUpToDate(i, m) {
		return false
	}
	if !m.PreVote {
		n.Vote[i] = j
	}
	return true
}

// isUpToDate reports whether the log of a candidate is at least as up to date as i's.
func (s *State) isUpToDate(i Server, m *Msg) bool {
	own := s.termAt(i, s.last(i))
	return m.LogTerm > own || m.LogTerm == own && m.Index >= s.last(i)
}

// HandleVoteResult counts a vote. A majority of what would be votes begins the election, and one of
// votes makes a leader.
//
// Section 5.2; dissertation, section 9.6. Code: recvRequestVoteResult, electionTally.
var HandleVoteResult = Action[Pair]{
	Name:   "HandleVoteResult",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, RequestVoteResult) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, RequestVoteResult)
		pre := s.Role[p.I] == PreCandidate
		switch {
		case !s.isCandidate(p.I) || m.Term < s.Term[p.I]:
			return
		case !pre && m.Term > s.Term[p.I], pre && m.PreVote && m.Term > s.Term[p.I]+1:
			n.bump(p.I, m.Term)
			return
		case pre != m.PreVote || !m.Granted:
			return
		}
		n.Votes[p.I][p.J] = true
		have := 0
		for _, granted := range n.Votes[p.I] {
			if granted {
				have++
			}
		}
		switch {
		case have < Quorum:
		case pre:
			n.campaign(p.I, false)
		default:
			n.lead(p.I)
		}
	},
}

// lead makes i a leader, which sends what follows its own last entry: nothing. It has no entry of
// its own.
//
// Code: convertToLeader, progressBuildArray, replicationHeartbeat.
func (n *State) lead(i Server) {
	n.become(i, Leader)
	n.Match[i][i] = n.Stored[i]
	for j := range Server(Servers) {
		if j != i {
			n.Next[i][j] = n.last(i) + 1
			n.Due[i][j] = true
		}
	}
	n.replicate(i)
}
