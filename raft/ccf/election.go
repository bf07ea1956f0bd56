package ccf

import "github.com/multigrain/multigrain/modules"

// mayTimeOut reports whether a bounded node may time out: MCTimeout of MCccfraft.tla.
func (s *State) mayTimeOut(i Server) bool {
	if !s.mayRaiseTerm(s.CurrentTerm[i]) || !s.mayCampaign(i) {
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

// mayRaiseTerm reports whether a node may campaign for the term after a term.
func (s *State) mayRaiseTerm(term Number) bool { return Judged || term < MaxTerm }

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
	n.CurrentTerm[i] = modules.AtMost(n.CurrentTerm[i]+1, MaxTerm)
	n.VotedFor[i] = i
	n.VotesGranted[i] = modules.SetOf(i)
}

// elects reports whether i has a quorum of votes in each of its configurations.
func (s *State) elects(i Server) bool { return s.wouldElect(i, s.VotesGranted[i]) }

// wouldElect reports whether votes are a quorum in each of i's configurations.
func (s *State) wouldElect(i Server, votes Nodes) bool {
	if Mistake == ElectionQuorum {
		return quorum(votes, s.nodes(i))
	}
	return s.quorumInEach(i, votes)
}

// RequestVote asks J for its vote, or whether it would vote.
//
// Code: raft.h send_request_vote.
var RequestVote = Action[Pair]{
	Name:   "RequestVote",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return (s.LeadershipState[p.I] == Candidate || s.LeadershipState[p.I] == PreVoteCandidate) &&
			s.nodes(p.I).Has(p.J) && s.mayRequest(p.I, p.J)
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
	if !s.isUpToDate(i, m.Index, m.LogTerm) {
		return false
	}
	if s.PreVoteStatus[i] != PreVoteDisabled && m.PreVote {
		return m.Term >= s.CurrentTerm[i]
	}
	return m.Term == s.CurrentTerm[i] && (s.VotedFor[i] == Nil || s.VotedFor[i] == j)
}

// isUpToDate reports whether a candidate whose last signed entry has an index and a term has all
// that i has signed.
func (s *State) isUpToDate(i Server, index, term Number) bool {
	own := committable(&s.Log[i])
	ownTerm := s.termAt(i, own)
	return term > ownTerm || term == ownTerm && index >= own
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
	Effect: func(s, n *State, p One) { n.becomeLeader(p.I) },
}

// becomeLeader makes i a leader, which has heard nothing of the others yet.
func (n *State) becomeLeader(i Server) {
	n.LeadershipState[i] = Leader
	n.truncate(i, committable(&n.Log[i]))
	for j := range n.SentIndex[i] {
		n.SentIndex[i][j] = n.last(i)
		n.MatchIndex[i][j] = 0
	}
	n.forgetOrdered(i)
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
		n.updateTerm(p.I, m.Term)
	},
}

// updateTerm makes i a follower of a newer term.
func (n *State) updateTerm(i Server, term Number) {
	n.CurrentTerm[i] = term
	n.LeadershipState[i] = Follower
	n.IsNewFollower[i] = true
	n.VotedFor[i] = Nil
	n.truncate(i, n.lastCommittable(i))
	n.forgetOrdered(i)
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
		return term < s.CurrentTerm[p.I] || term == s.CurrentTerm[p.I] && s.mayRaiseTerm(term)
	},
	Effect: func(s, n *State, p At) {
		m := n.recv(p, ProposeVoteRequest)
		if m.Term == s.CurrentTerm[p.I] && s.followsProposals(p.I) {
			n.becomeCandidate(p.I)
		}
	},
}

// followsProposals reports whether a proposal makes i a candidate.
func (s *State) followsProposals(i Server) bool {
	return s.LeadershipState[i] != Leader && s.LeadershipState[i] != None && s.mayCampaign(i)
}

// DropIgnoredMessage drops a message that means nothing to i: from a node outside of its
// configurations, to a node that has joined nothing, or to a node that has retired. A proposal
// comes from a node that is about to leave, so that it is taken from outside, too.
//
// Code: raft.h recv_message, recv_append_entries_response, recv_request_vote_response.
var DropIgnoredMessage = Action[At]{
	Name:   "DropIgnoredMessage",
	Params: positions,
	Guard: func(s *State, p At) bool {
		return s.arrives(p, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest) &&
			s.ignores(p.I, p.J, s.peek(p, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest).Kind)
	},
	Effect: func(s, n *State, p At) {
		n.recv(p, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest)
	},
}

// ignores reports whether a message of a kind from j means nothing to i.
func (s *State) ignores(i, j Server, kind Kind) bool {
	none := s.LeadershipState[i] == None
	stranger := !none && !s.nodes(i).Has(j) && !(kind == ProposeVoteRequest && Proposals == "taken")
	return stranger || kind != AppendEntriesRequest && (none || s.hasLeft(i))
}

// hasLeft reports whether i takes part in nothing more than votes and appends.
func (s *State) hasLeft(i Server) bool { return isGone(s.MembershipState[i]) }

// isGone reports whether a node of a stage of retirement takes part in nothing more.
//
// Code: raft.h is_retired_committed.
func isGone(m Membership) bool {
	return m == RetiredCommitted || Mistake == PrematureRetirement && m == RetirementCompleted
}

// DropStaleResponse drops an answer of an older term. A refusal of an append is not dropped so,
// since its term is that of an entry.
//
// Code: raft.h recv_append_entries_response, recv_request_vote_response.
var DropStaleResponse = Action[At]{
	Name:   "DropStaleResponse",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if !s.arrives(p, RequestVoteResponse, AppendEntriesResponse) {
			return false
		}
		m := s.peek(p, RequestVoteResponse, AppendEntriesResponse)
		return m.Term < s.CurrentTerm[p.I] && (m.Kind == RequestVoteResponse || m.OK)
	},
	Effect: func(s, n *State, p At) { n.recv(p, RequestVoteResponse, AppendEntriesResponse) },
}

// DropResponseWhenNotInState drops an answer to a node that no longer has the role that asked.
//
// Code: raft.h recv_append_entries_response, recv_request_vote_response.
var DropResponseWhenNotInState = Action[At]{
	Name:   "DropResponseWhenNotInState",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if !s.arrives(p, RequestVoteResponse, AppendEntriesResponse) {
			return false
		}
		m := s.peek(p, RequestVoteResponse, AppendEntriesResponse)
		if m.Kind == AppendEntriesResponse {
			return s.LeadershipState[p.I] != Leader
		}
		return s.LeadershipState[p.I] != candidacy(m.PreVote)
	},
	Effect: func(s, n *State, p At) { n.recv(p, RequestVoteResponse, AppendEntriesResponse) },
}
