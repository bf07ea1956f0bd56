package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Refrain is an election timeout on a server that has committed changes which it has not applied:
// it does not campaign, and grants its leader another lease.
//
// Code: raft.go tickElection, hup.
var Refrain = Action[One]{
	Name:   "Refrain",
	Params: each,
	Guard: func(s *State, p One) bool {
		return CheckQuorum && Membership && s.Elapsed[p.I] && s.promotable(p.I) && s.hasUnappliedChange(p.I)
	},
	Effect: func(s, n *State, p One) { n.Elapsed[p.I] = false },
}

// LeaderTimeout is CheckActive in the step in which a transfer of leadership that has lasted an
// election timeout is given up.
//
// Code: raft.go tickHeartbeat.
var LeaderTimeout = Action[One]{
	Name:   "LeaderTimeout",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Role[p.I] == Leader && (CheckQuorum || MaxTransfers > 0 && s.Transferee[p.I] != None)
	},
	Effect: func(s, n *State, p One) {
		if CheckQuorum {
			if !s.isQuorum(p.I, s.RecentActive[p.I].With(p.I)) {
				n.becomeFollower(p.I, s.Term[p.I], None)
			}
			n.RecentActive[p.I] = 0
		}
		if MaxTransfers > 0 {
			n.Transferee[p.I] = None
		}
	},
}

var electionFineTimeouts = grains.Refine(grains.Grain[State]{
	Name: "fine-timeouts",
	Doc: "As fine, with all that an election timeout ends: transfers, and lapsed leases of servers " +
		"that may not campaign.",
	Actions: Actions{&Timeout, &HandleVote, &HandleVoteResp, &HandlePreVote, &HandlePreVoteResp,
		&Elapse, &Refrain, &LeaderTimeout, &Transfer, &HandleTimeoutNow},
	Rules: electionFine.Rules,
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("timeouts", &Timeout),
		modules.Spend[State]("elapses", &Elapse, &Refrain, &LeaderTimeout),
		modules.Spend[State]("transfers", &Transfer),
	},
}, electionFine)
