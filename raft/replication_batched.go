package raft

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
)

// CountVote makes a candidate count its own vote.
//
// Code: rawnode.go acceptReady, stepsOnAdvance, Advance.
var CountVote = Action[One]{
	Name:   "CountVote",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.owesVote(p.I) },
	Effect: func(s, n *State, p One) { n.poll(p.I, p.I, true) },
}

// Advance makes a leader acknowledge its oldest entry that it has not acknowledged. A leader's own
// acknowledgements are of one entry each and come in the order of its log, so the acknowledgements
// in flight follow from Match.
//
// Code: rawnode.go acceptReady, stepsOnAdvance, Advance.
var Advance = Action[One]{
	Name:   "Advance",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.owesAck(p.I) && s.nextAck(p.I) > 0 },
	Effect: func(s, n *State, p One) {
		n.stepSelf(p.I, &Msg{Kind: MsgAppResp, Term: s.Term[p.I], Index: s.nextAck(p.I)})
	},
}

// ReportUnreachable tells a leader that a message to a server may be lost.
//
// Code: raft.go stepLeader, MsgUnreachable, by RawNode.ReportUnreachable.
var ReportUnreachable = Action[Pair]{
	Name:   "ReportUnreachable",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.Role[p.I] == Leader && s.tracks(p.I, p.J) && s.Pr[p.I][p.J].State == Replicate && s.resends(p.I, p.J)
	},
	Effect: func(s, n *State, p Pair) { n.becomeProbe(p.I, p.J) },
}

// owesVote reports whether the candidate i has not counted its own vote.
func (s *State) owesVote(i Server) bool {
	return Batches && (s.Role[i] == Candidate || s.Role[i] == PreCandidate) && !s.Granted[i].Has(i)
}

// owesAck reports whether the leader i has entries that it has not acknowledged itself.
func (s *State) owesAck(i Server) bool {
	return Batches && s.Role[i] == Leader && s.tracks(i, i) && s.Pr[i][i].Match < s.lastIndex(i)
}

// DropStale loses a message of an earlier term to which there is no answer: what its handler would
// do. It is a step of its own because nothing but the receiver's term matters to it, and terms only
// grow.
//
// Code: raft.go Step, the part on terms.
var DropStale = Action[At]{
	Name:   "DropStale",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if Network != "tcp" || p.K != 1 {
			return false
		}
		if s.Stream.Is(p.J, p.I, MsgVote, MsgVoteResp, MsgPreVoteResp, MsgAppResp, MsgHeartbeatResp, MsgTimeoutNow, MsgReadIndexResp) {
			return s.Stream.Peek(p.J, p.I, MsgVote, MsgVoteResp, MsgPreVoteResp, MsgAppResp, MsgHeartbeatResp, MsgTimeoutNow,
				MsgReadIndexResp).Term < s.Term[p.I]
		}
		return !CheckQuorum && !PreVote && s.Stream.Is(p.J, p.I, MsgApp, MsgHeartbeat) &&
			s.Stream.Peek(p.J, p.I, MsgApp, MsgHeartbeat).Term < s.Term[p.I]
	},
	Effect: func(s, n *State, p At) {
		n.Stream.Recv(p.J, p.I, MsgVote, MsgVoteResp, MsgPreVoteResp, MsgAppResp, MsgHeartbeatResp, MsgTimeoutNow, MsgReadIndexResp,
			MsgApp, MsgHeartbeat)
	},
}

var replicationBatched = grains.Refine(grains.Grain[State]{
	Name: "batched",
	Doc:  "Several steps may come before a Ready: a server counts its own votes and acknowledgements later.",
	Actions: Actions{&DropStale, &HandleApp, &HandleAppResp, &Beat, &HandleHeartbeat, &HandleHeartbeatResp, &CountVote,
		&Advance, &ReportUnreachable},
	Sets:    []grains.Setting{{Name: "batches", Value: "true"}},
	Budgets: replicationBaseline.Budgets,
	Models:  slices.Concat(replicationBaseline.Models, []string{"RawNode.Ready", "RawNode.acceptReady", "RawNode.Advance"}),
}, replicationBaseline)
