package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Timeout makes a server that hears of no leader a candidate: it votes for itself and asks
// everybody else.
//
// Figure 2, "Candidates"; section 5.2. TLA+: Timeout, RequestVote. Code: raft.go hup, campaign, by
// RawNode.Campaign or a tick.
var Timeout = Action[One]{
	Name:   "Timeout",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.mayCampaign(p.I) },
	Effect: func(s, n *State, p One) {
		if PreVote {
			n.preCampaign(p.I)
			return
		}
		n.campaign(p.I, 0)
	},
}

// HandleVote answers a request for a vote.
//
// Figure 2, "RequestVote RPC, Receiver implementation". TLA+: HandleRequestVoteRequest. Code:
// raft.go Step, MsgVote.
var HandleVote = Action[At]{
	Name:   "HandleVote",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgVote) },
	Effect: func(s, n *State, p At) { n.handleVote(p) },
}

// handleVote is HandleVote's effect.
func (n *State) handleVote(p At) {
	m, ok := n.take(p, MsgVote)
	if !ok {
		return
	}
	grant := n.canVote(p.I, p.J, &m)
	if grant {
		n.Vote[p.I] = p.J
		n.Elapsed[p.I] = false
	}
	answer := Msg{Kind: MsgVoteResp, Term: n.Term[p.I], Reject: !grant}
	if Mistake == VoteNotPersisted {
		n.send(p.I, p.J, answer)
		return
	}
	n.respond(p.I, p.J, answer)
}

// canVote reports whether i votes for j in its term, by what j says of its log. raft.go Step,
// MsgVote; section 5.4.1.
func (s *State) canVote(i, j Server, m *Msg) bool {
	free := s.Vote[i] == j || s.Vote[i] == None && s.Lead[i] == None
	return free && (Mistake == VoteWithoutLogCheck || s.isUpToDate(i, m.Index, m.LogTerm))
}

// HandleVoteResp counts a vote: with those of a quorum a candidate leads, with the refusals of a
// quorum it gives up.
//
// Section 5.2. TLA+: HandleRequestVoteResponse, BecomeLeader. Code: raft.go stepCandidate,
// MsgVoteResp.
var HandleVoteResp = Action[At]{
	Name:   "HandleVoteResp",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgVoteResp) },
	Effect: func(s, n *State, p At) { n.handleVoteResp(p) },
}

// handleVoteResp is HandleVoteResp's effect.
func (n *State) handleVoteResp(p At) {
	m, ok := n.take(p, MsgVoteResp)
	if ok && n.Role[p.I] == Candidate {
		n.poll(p.I, p.J, !m.Reject)
	}
}

var electionBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each timeout, request and answer.",
	Covers:  []string{"election"},
	Actions: Actions{&Timeout, &HandleVote, &HandleVoteResp},
	Rules:   []modules.Rule[State]{boundTerms},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout)},
	Models: []string{"raft.campaign", "raft.hup", "raft.poll", "raft.Step", "stepCandidate",
		"tracker.ProgressTracker.TallyVotes", "quorum.MajorityConfig.VoteResult"},
}

// boundTerms ends a behaviour's elections with the last term.
var boundTerms = modules.When(&Timeout, func(s *State, p One) bool { return s.Term[p.I] < lastTerm })
