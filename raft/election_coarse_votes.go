package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Election at a coarser grain than its baseline, for other modules under test: a candidacy that
// wins is one step. It is a sequence of the baseline's steps, so none of its behaviours is false.
// Elect, which is coarser still, leaves the servers outside the quorum without the request for a
// vote that reaches them ahead of everything else.

// Win makes p.I the leader of the next term with the votes of p.S. Nothing is in flight between
// them; the request to the other servers is, and their answers will be.
//
// It stands for Timeout, HandleVote and HandleVoteResp. It leaves out candidacies that fail or
// last, which raise terms while older messages are still in flight.
var Win = Action[Party]{
	Name:   "Win",
	Params: parties,
	Guard: func(s *State, p Party) bool {
		c := s.conf(p.I)
		if AsyncStorage || PreVote || !s.mayCampaign(p.I) || !s.isQuorum(p.I, p.S) || !p.S.Within(c.Voters.Union(c.Outgoing)) {
			return false
		}
		for j := range Server(Servers) {
			if j == p.I || !p.S.Has(j) {
				continue
			}
			idle := !s.isCut(p.I, j) && s.inFlight(p.I, j) == 0 && s.inFlight(j, p.I) == 0
			if !idle || s.Term[j] > s.Term[p.I] || !s.isUpToDate(j, s.lastIndex(p.I), s.lastTerm(p.I)) {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *State, p Party) {
		n.campaign(p.I, 0)
		for j := range Server(Servers) {
			if j != p.I && p.S.Has(j) {
				n.handleVote(At{I: j, J: p.I, K: 1})
			}
		}
		for j := range Server(Servers) {
			if j != p.I && p.S.Has(j) {
				n.handleVoteResp(At{I: p.I, J: j, K: 1})
			}
		}
	},
}

// boundWin ends a behaviour's elections with the last term.
var boundWin = modules.When(&Win, func(s *State, p Party) bool { return s.Term[p.I] < MaxTerm })

var electionCoarseVotes = grains.Coarsen(grains.Grain[State]{
	Node:    nodeElection,
	Name:    "coarse-votes",
	Doc:     "A candidacy that wins is one step.",
	Actions: Actions{&Win, &HandleVote, &HandleVoteResp},
	Rules:   []modules.Rule[State]{boundWin},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Win)},
}, electionBaseline)
