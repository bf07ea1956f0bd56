package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// One is an acting server, Pair an acting server and a peer, Party an acting server and a set with
// it.
type (
	One   = modules.One[Server]
	Pair  = modules.Pair[Server]
	Party = modules.Party[Server]
)

var (
	each     = modules.Each[Server](Servers)
	eachPair = modules.EachPair[Server](Servers)
	parties  = modules.Subsets[Server](Servers)
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

// mayCampaign reports whether i may become a candidate. raft.go hup.
func (s *State) mayCampaign(i Server) bool {
	return s.Role[i] != Leader && s.promotable(i) && (Mistake == CampaignUnapplied || !s.hasUnappliedChange(i))
}

// campaign makes i a candidate of the next term, with the votes that it needs asked for and its own
// counted. raft.go campaign.
func (n *State) campaign(i Server, context Number) {
	n.becomeCandidate(i)
	for j := range Server(Servers) {
		if j != i && n.votes(i, j) {
			n.send(i, j, Msg{Kind: MsgVote, Term: n.Term[i], Index: n.lastIndex(i), LogTerm: n.lastTerm(i), Context: context})
		}
	}
	n.respondSelf(i, Msg{Kind: MsgVoteResp, Term: n.Term[i]})
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

// poll records j's answer to the candidate i; the first one counts. raft.go poll, stepCandidate;
// tracker.go RecordVote, TallyVotes.
func (n *State) poll(i, j Server, granted bool) {
	if n.Granted[i].Has(j) || n.Rejected[i].Has(j) {
		return
	}
	if granted {
		n.Granted[i].Add(j)
	} else {
		n.Rejected[i].Add(j)
	}
	switch {
	case n.isQuorum(i, n.Granted[i]) && n.Role[i] == PreCandidate:
		n.campaign(i, 0)
	case n.isQuorum(i, n.Granted[i]):
		n.becomeLeader(i)
	case !n.isQuorum(i, Everyone.Minus(n.Rejected[i])):
		n.becomeFollower(i, n.Term[i], None)
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
