package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// RetryRead asks the same server once more for a read that it has not confirmed yet, with the same
// context.
//
// Not in the library: etcd's server does so each 500 ms (v3_server.go requestCurrentIndex,
// readIndexRetryTime, v3.5.21 and v3.6.0).
var RetryRead = Action[ID]{
	Name:   "RetryRead",
	Params: eachRead,
	Guard: func(s *State, p ID) bool {
		r := s.Reads[p.ID]
		return r.Phase == Asked && (s.Role[r.Server] == Leader || s.Role[r.Server] == Follower && s.Lead[r.Server] != None)
	},
	Effect: func(s, n *State, p ID) { n.passRead(s.Reads[p.ID].Server, p.ID) },
}

// ReuseRead asks the server of a read that was answered for another read, with the same context.
//
// Not in the library, which leaves it to the caller that contexts differ (read_only.go ReadState).
var ReuseRead = Action[ID]{
	Name:   "ReuseRead",
	Params: eachRead,
	Guard: func(s *State, p ID) bool {
		r := s.Reads[p.ID]
		return r.Phase == Answered && (s.Role[r.Server] == Leader || s.Role[r.Server] == Follower && s.Lead[r.Server] != None)
	},
	Effect: func(s, n *State, p ID) {
		i := s.Reads[p.ID].Server
		n.Reads[p.ID] = Read{Server: i, Phase: Asked, Floor: s.Completed}
		n.passRead(i, p.ID)
	},
}

var clientReadsRetried = grains.Refine(grains.Grain[State]{
	Node:       nodeRetried,
	Name:       "reads-retried",
	Doc:        "Commands, and linearizable reads by ReadIndex whose contexts come more than once.",
	Actions:    Actions{&Propose, &ReadIndex, &RetryRead, &ReuseRead, &HandleReadIndex, &HandleReadIndexResp, &AnswerRead},
	Invariants: clientReads.Invariants,
	Budgets: append([]modules.Budget[State]{
		modules.Spend[State]("retries", &RetryRead), modules.Spend[State]("reuses", &ReuseRead),
	}, clientBaseline.Budgets...),
	Models: clientReads.Models,
}, clientBaseline)
