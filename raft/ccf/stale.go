package ccf

// DropIgnoredMessage drops a message that means nothing to i: from a node outside of its
// configurations, to a node that has joined nothing, or to a node that has retired. A proposal
// comes from a node that is about to leave, so that it is taken from outside, too.
//
// Code: raft.h recv_message, recv_append_entries_response, recv_request_vote_response.
var DropIgnoredMessage = Action[At]{
	Name:   "DropIgnoredMessage",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if !s.arrives(p, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest) {
			return false
		}
		kind := s.peek(p, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest).Kind
		none := s.LeadershipState[p.I] == None
		stranger := !none && !s.nodes(p.I).Has(p.J) && !(kind == ProposeVoteRequest && Proposals == "taken")
		return stranger || kind != AppendEntriesRequest && (none || s.hasLeft(p.I))
	},
	Effect: func(s, n *State, p At) {
		n.recv(p, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest)
	},
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
