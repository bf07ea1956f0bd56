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

var clientReadsRetried = grains.Refine(grains.Grain[State]{
	AtNode:     besideRetried,
	Name:       "reads-retried",
	Doc:        "Commands, and linearizable reads by ReadIndex that a server asks for once more while it waits.",
	Actions:    Actions{&Propose, &ReadIndex, &RetryRead, &HandleReadIndex, &HandleReadIndexResp, &AnswerRead},
	Invariants: clientReads.Invariants,
	Budgets:    append([]modules.Budget[State]{modules.Spend[State]("retries", &RetryRead)}, clientBaseline.Budgets...),
	Models:     clientReads.Models,
}, clientBaseline)
