package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// HandlePreVote answers the question whether the server would vote. Nothing changes by it.
//
// Dissertation, section 9.6. Code: raft.go Step, MsgPreVote.
var HandlePreVote = Action[At]{
	Name:   "HandlePreVote",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgPreVote) },
	Effect: func(s, n *State, p At) {
		m, ok := n.take(p, MsgPreVote)
		if !ok {
			return
		}
		free := m.Term > n.Term[p.I] || n.Vote[p.I] == p.J || n.Vote[p.I] == None && n.Lead[p.I] == None
		if !free || !n.isUpToDate(p.I, m.Index, m.LogTerm) {
			n.respond(p.I, p.J, Msg{Kind: MsgPreVoteResp, Term: n.Term[p.I], Reject: true})
			return
		}
		if Mistake == LeaderVotes {
			n.Vote[p.I] = p.J
		}
		n.respond(p.I, p.J, Msg{Kind: MsgPreVoteResp, Term: m.Term})
	},
}

// HandlePreVoteResp counts an answer: with a quorum the candidacy begins.
//
// Dissertation, section 9.6. Code: raft.go stepCandidate, MsgPreVoteResp.
var HandlePreVoteResp = Action[At]{
	Name:   "HandlePreVoteResp",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgPreVoteResp) },
	Effect: func(s, n *State, p At) {
		m, ok := n.take(p, MsgPreVoteResp)
		if ok && n.Role[p.I] == PreCandidate {
			n.poll(p.I, p.J, !m.Reject)
		}
	},
}

// Elapse lets an election timeout pass on a server that knows a leader and hears nothing of it: its
// lease for the leader ends.
//
// Dissertation, section 4.2.3. Code: electionElapsed, by RawNode.TickQuiesced.
var Elapse = Action[One]{
	Name:   "Elapse",
	Params: each,
	Guard: func(s *State, p One) bool {
		return CheckQuorum && s.Role[p.I] == Follower && s.Lead[p.I] != None && !s.Elapsed[p.I]
	},
	Effect: func(s, n *State, p One) { n.Elapsed[p.I] = true },
}

// CheckActive lets an election timeout pass on a leader: without a quorum that it has heard of
// since the last one, it steps down.
//
// Dissertation, section 6.2. Code: raft.go stepLeader, MsgCheckQuorum.
//
// Deviation: the library gives up a transfer of leadership at that time, too; here a transfer ends
// with the leadership. LeaderTimeout does both.
var CheckActive = Action[One]{
	Name:   "CheckActive",
	Params: each,
	Guard:  func(s *State, p One) bool { return CheckQuorum && s.Role[p.I] == Leader },
	Effect: func(s, n *State, p One) {
		if !s.isQuorum(p.I, s.RecentActive[p.I].With(p.I)) {
			n.becomeFollower(p.I, s.Term[p.I], None)
		}
		n.RecentActive[p.I] = 0
	},
}

// Transfer makes a leader hand over to a server: at once if it has the whole log, else as soon as
// it does. A leader that is asked to hand over to itself gives up the transfer that is in progress.
//
// Dissertation, section 3.10. Code: raft.go stepLeader, MsgTransferLeader, by
// RawNode.TransferLeader.
var Transfer = Action[Pair]{
	Name:   "Transfer",
	Params: transfers,
	Guard: func(s *State, p Pair) bool {
		if p.J == p.I && (MaxTransfers == 0 || s.Transferee[p.I] == None) {
			return false
		}
		return MaxTransfers > 0 && s.Role[p.I] == Leader && s.Transferee[p.I] != p.J && s.tracks(p.I, p.J) && !s.conf(p.I).Learners.Has(p.J)
	},
	Effect: func(s, n *State, p Pair) {
		if p.J == p.I {
			n.Transferee[p.I] = None
			return
		}
		n.Transferee[p.I] = p.J
		if s.Pr[p.I][p.J].Match == s.lastIndex(p.I) {
			n.send(p.I, p.J, Msg{Kind: MsgTimeoutNow, Term: s.Term[p.I]})
			return
		}
		n.maybeSendAppend(p.I, p.J, true)
	},
}

// HandleTimeoutNow makes a follower a candidate at once, whose requests no lease keeps from being
// answered.
//
// Dissertation, section 3.10. Code: raft.go stepFollower, MsgTimeoutNow.
var HandleTimeoutNow = Action[At]{
	Name:   "HandleTimeoutNow",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgTimeoutNow) },
	Effect: func(s, n *State, p At) {
		_, ok := n.take(p, MsgTimeoutNow)
		if ok && n.Role[p.I] == Follower && n.mayCampaign(p.I) {
			n.campaign(p.I, ByTransfer)
		}
	},
}

var electionFine = grains.Refine(grains.Grain[State]{
	Node: nodeFineElection,
	Name: "fine",
	Doc:  "With PreVote and CheckQuorum, by the options of these names, and leadership transfer.",
	Actions: Actions{&Timeout, &HandleVote, &HandleVoteResp, &HandlePreVote, &HandlePreVoteResp,
		&Elapse, &CheckActive, &Transfer, &HandleTimeoutNow},
	Rules: []modules.Rule[State]{boundTerms, boundTransfers},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("timeouts", &Timeout),
		modules.Spend[State]("elapses", &Elapse, &CheckActive),
		modules.Spend[State]("transfers", &Transfer),
	},
	Models: []string{"raft.campaign", "raft.hup", "raft.poll", "raft.Step", "stepCandidate", "stepLeader", "raft.tickElection",
		"raft.tickHeartbeat", "tracker.ProgressTracker.QuorumActive", "raft.sendTimeoutNow", "tracker.ProgressTracker.TallyVotes", "quorum.MajorityConfig.VoteResult",
		"raft.pastElectionTimeout"},
	Offers: []grains.OptionValue{{Option: "pre_vote", Value: "true"}, {Option: "check_quorum", Value: "true"}},
}, electionBaseline)

// boundTransfers ends a behaviour's elections with the last term. A pre-candidate continues with
// the next term, which HandlePreVoteResp cannot be kept from: there is none in the last term.
var boundTransfers = modules.When(&HandleTimeoutNow, func(s *State, p At) bool { return s.Term[p.I] < lastTerm })
