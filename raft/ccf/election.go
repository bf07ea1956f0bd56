package ccf

import "github.com/multigrain/multigrain/modules"

// mayTimeOut reports whether a bounded node may time out: MCTimeout of MCccfraft.tla.
func (s *State) mayTimeOut(i Server) bool {
	if s.CurrentTerm[i] >= MaxTerm || !s.mayCampaign(i) {
		return false
	}
	known := s.nodesUpTo(i, s.CommitIndex[i])
	for j := range Server(Servers) {
		if OneCandidate && known.Has(j) && s.LeadershipState[j] == Candidate {
			return false
		}
	}
	return s.LeadershipState[i] == Follower || s.LeadershipState[i] == Candidate
}

// Timeout makes i a candidate of the next term. Where pre-votes are enabled, i first asks whether
// it would get votes.
//
// Section 2.1, figure 1, transition 1. Code: raft.h become_candidate, become_pre_vote_candidate.
var Timeout = Action[One]{
	Name:   "Timeout",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.mayTimeOut(p.I) },
	Effect: func(s, n *State, p One) {
		if s.PreVoteStatus[p.I] != PreVoteEnabled {
			n.becomeCandidate(p.I)
			return
		}
		n.LeadershipState[p.I] = PreVoteCandidate
		n.VotesGranted[p.I] = modules.SetOf(p.I)
	},
}

// BecomeCandidate makes i a candidate since a quorum of each configuration would vote for it.
//
// Code: raft.h become_candidate, add_vote_for_me.
var BecomeCandidate = Action[One]{
	Name:   "BecomeCandidate",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.LeadershipState[p.I] == PreVoteCandidate && s.elects(p.I) && s.mayCampaign(p.I)
	},
	Effect: func(s, n *State, p One) { n.becomeCandidate(p.I) },
}

// becomeCandidate makes i a candidate of the next term, which votes for itself.
func (n *State) becomeCandidate(i Server) {
	n.LeadershipState[i] = Candidate
	n.CurrentTerm[i]++
	n.VotedFor[i] = i
	n.VotesGranted[i] = modules.SetOf(i)
}

// elects reports whether i has a quorum of votes in each of its configurations.
func (s *State) elects(i Server) bool {
	if Mistake == ElectionQuorum {
		return quorum(s.VotesGranted[i], s.nodes(i))
	}
	return s.quorumInEach(i, s.VotesGranted[i])
}

// RequestVote asks J for its vote, or whether it would vote.
//
// Code: raft.h send_request_vote.
var RequestVote = Action[Pair]{
	Name:   "RequestVote",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return (s.LeadershipState[p.I] == Candidate || s.LeadershipState[p.I] == PreVoteCandidate) &&
			s.nodes(p.I).Has(p.J) && s.maySend(p.I, p.J)
	},
	Effect: func(s, n *State, p Pair) {
		last := s.lastCommittable(p.I)
		n.send(p.I, p.J, Msg{
			Kind: RequestVoteRequest, Term: s.CurrentTerm[p.I], Index: last, LogTerm: s.termAt(p.I, last),
			PreVote: s.LeadershipState[p.I] == PreVoteCandidate,
		})
	},
}

// RcvRequestVoteRequest answers a request of a term that is not newer. The candidate's log must be
// as up to date as the node's own one up to its last signature.
//
// Code: raft.h recv_request_vote.
var RcvRequestVoteRequest = Action[At]{
	Name:   "RcvRequestVoteRequest",
	Params: positions,
	Guard: func(s *State, p At) bool {
		return s.arrives(p, RequestVoteRequest) && s.peek(p, RequestVoteRequest).Term <= s.CurrentTerm[p.I]
	},
	Effect: func(s, n *State, p At) {
		m := n.recv(p, RequestVoteRequest)
		grant := s.grants(p.I, p.J, &m)
		if grant && !(s.PreVoteStatus[p.I] != PreVoteDisabled && m.PreVote) {
			n.VotedFor[p.I] = p.J
		}
		n.send(p.I, p.J, Msg{Kind: RequestVoteResponse, Term: s.CurrentTerm[p.I], OK: grant, PreVote: m.PreVote})
	},
}

// grants reports whether i votes for j. A node that knows of pre-votes grants them without regard
// to its vote.
func (s *State) grants(i, j Server, m *Msg) bool {
	own := committable(&s.Log[i])
	ownTerm := s.termAt(i, own)
	if !(m.LogTerm > ownTerm || m.LogTerm == ownTerm && m.Index >= own) {
		return false
	}
	if s.PreVoteStatus[i] != PreVoteDisabled && m.PreVote {
		return m.Term >= s.CurrentTerm[i]
	}
	return m.Term == s.CurrentTerm[i] && (s.VotedFor[i] == Nil || s.VotedFor[i] == j)
}

// RcvRequestVoteResponse counts a vote for a candidacy of the same term and kind.
//
// Code: raft.h recv_request_vote_response.
var RcvRequestVoteResponse = Action[At]{
	Name:   "RcvRequestVoteResponse",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if !s.arrives(p, RequestVoteResponse) {
			return false
		}
		m := s.peek(p, RequestVoteResponse)
		return m.Term == s.CurrentTerm[p.I] && s.LeadershipState[p.I] == candidacy(m.PreVote)
	},
	Effect: func(s, n *State, p At) {
		if m := n.recv(p, RequestVoteResponse); m.OK {
			n.VotesGranted[p.I].Add(p.J)
		}
	},
}

// candidacy returns the role that votes of a kind are for.
func candidacy(preVote bool) Leadership {
	if preVote {
		return PreVoteCandidate
	}
	return Candidate
}

// BecomeLeader makes i a leader. What the leader before did not sign is dropped.
//
// Section 2.1, figure 1, transition 2. Code: raft.h become_leader.
var BecomeLeader = Action[One]{
	Name:   "BecomeLeader",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.LeadershipState[p.I] == Candidate && s.elects(p.I) },
	Effect: func(s, n *State, p One) {
		n.LeadershipState[p.I] = Leader
		n.truncate(p.I, committable(&s.Log[p.I]))
		for j := range n.SentIndex[p.I] {
			n.SentIndex[p.I][j] = n.last(p.I)
			n.MatchIndex[p.I][j] = 0
		}
		n.forgetOrdered(p.I)
	},
}

// CheckQuorum makes a leader a follower, since it has not heard of a quorum for too long.
//
// Section 2.1, figure 1, transition 3. Code: raft.h periodic.
var CheckQuorum = Action[One]{
	Name:   "CheckQuorum",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.LeadershipState[p.I] == Leader && !s.nodes(p.I).Without(p.I).Empty()
	},
	Effect: func(s, n *State, p One) {
		n.LeadershipState[p.I] = Follower
		n.IsNewFollower[p.I] = true
	},
}

// RcvUpdateTerm takes a newer term over, and with it the end of a candidacy or leadership. The
// message stays in flight. What is not signed is dropped.
//
// Code: raft.h become_aware_of_new_term, become_follower.
var RcvUpdateTerm = Action[At]{
	Name:   "RcvUpdateTerm",
	Params: positions,
	Guard: func(s *State, p At) bool {
		return s.arrives(p, RequestVoteRequest, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest) &&
			s.peek(p, RequestVoteRequest, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest).Term > s.CurrentTerm[p.I]
	},
	Effect: func(s, n *State, p At) {
		m := s.peek(p, RequestVoteRequest, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest)
		n.CurrentTerm[p.I] = m.Term
		n.LeadershipState[p.I] = Follower
		n.IsNewFollower[p.I] = true
		n.VotedFor[p.I] = Nil
		n.truncate(p.I, s.lastCommittable(p.I))
		n.forgetOrdered(p.I)
	},
}

// RcvProposeVoteRequest makes i a candidate at once: the leader that retires proposes it. A
// proposal of an older term is dropped.
//
// Section 2.1, figure 1, transition 4. Code: raft.h recv_propose_request_vote.
var RcvProposeVoteRequest = Action[At]{
	Name:   "RcvProposeVoteRequest",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if Proposals != "taken" || !s.arrives(p, ProposeVoteRequest) {
			return false
		}
		term := s.peek(p, ProposeVoteRequest).Term
		return term < s.CurrentTerm[p.I] || term == s.CurrentTerm[p.I] && term < MaxTerm
	},
	Effect: func(s, n *State, p At) {
		m := n.recv(p, ProposeVoteRequest)
		leads := s.LeadershipState[p.I] == Leader || s.LeadershipState[p.I] == None
		if m.Term == s.CurrentTerm[p.I] && !leads && s.mayCampaign(p.I) {
			n.becomeCandidate(p.I)
		}
	},
}
