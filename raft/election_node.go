package raft

import "github.com/multigrain/multigrain/modules"

// electLocally declares what one server sees of Elect. A candidate is a follower that has voted for
// itself and knows no leader: who votes for it is not counted, so it may lead at any moment. All
// else of an election that a message shows is compared with the log, the term and the vote.
// Requests carry the last entry of the log, and terms grow by one. A vote is given once in a term,
// and to a log that is up to date.
var electLocally = modules.Local[State]{
	Of:      &Elect,
	Actions: []modules.AnyAction[State]{&SeekVotes, &GiveVote, &SeeVote, &LeadTerm},
}

// SeekVotes begins a term and asks for votes. It stands for Timeout.
var SeekVotes = Action[One]{
	Name:   "SeekVotes",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.mayCampaign(p.I) },
	Effect: func(s, n *State, p One) {
		n.becomeFollower(p.I, s.Term[p.I]+1, None)
		n.Vote[p.I] = p.I
		for j := range Server(Servers) {
			if j != p.I && n.votes(p.I, j) {
				n.send(p.I, j, Msg{Kind: MsgVote, Term: n.Term[p.I], Index: n.lastIndex(p.I), LogTerm: n.lastTerm(p.I)})
			}
		}
	},
}

// GiveVote answers a request: HandleVote.
var GiveVote = Action[At]{
	Name:   "GiveVote",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgVote) },
	Effect: func(s, n *State, p At) {
		m, ok := n.take(p, MsgVote)
		if !ok {
			return
		}
		grant := n.canVote(p.I, p.J, &m)
		if grant {
			n.Vote[p.I] = p.J
		}
		n.respond(p.I, p.J, Msg{Kind: MsgVoteResp, Term: n.Term[p.I], Reject: !grant})
	},
}

// SeeVote takes an answer. Only its term counts: HandleVoteResp.
var SeeVote = Action[At]{
	Name:   "SeeVote",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgVoteResp) },
	Effect: func(s, n *State, p At) { n.take(p, MsgVoteResp) },
}

// LeadTerm makes a server that has voted for itself the leader of its term.
var LeadTerm = Action[One]{
	Name:   "LeadTerm",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Role[p.I] != Leader && s.Vote[p.I] == p.I && s.Lead[p.I] == None && s.promotable(p.I)
	},
	Effect: func(s, n *State, p One) { n.becomeLeader(p.I) },
}
