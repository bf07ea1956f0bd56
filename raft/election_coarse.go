package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Elect makes a server the leader of a new term with the votes of a quorum, all in one step.
//
// It stands for Timeout, HandleVote and HandleVoteResp. What it leaves out: candidacies that fail,
// which raise terms and use up votes, and requests that reach servers outside the quorum.
var Elect = Action[Party]{
	Name:   "Elect",
	Params: parties,
	Guard: func(s *State, p Party) bool {
		c := s.conf(p.I)
		if !s.mayCampaign(p.I) || !s.isQuorum(p.I, p.S) || !p.S.Within(c.Voters.Union(c.Outgoing)) {
			return false
		}
		index, term := s.lastIndex(p.I), s.lastTerm(p.I)
		for j := range Server(Servers) {
			if !p.S.Has(j) || j == p.I {
				continue
			}
			if s.isCut(p.I, j) || Mistake != VoteWithoutLogCheck && !s.isUpToDate(j, index, term) {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *State, p Party) {
		term := s.newTerm(p.S)
		for j := range Server(Servers) {
			if p.S.Has(j) && j != p.I {
				n.becomeFollower(j, term, None)
				n.Vote[j] = p.I
			}
		}
		n.Term[p.I] = term
		n.Vote[p.I] = p.I
		n.becomeLeader(p.I)
	},
}

// newTerm returns the first term that nobody in a quorum has seen.
func (s *State) newTerm(quorum Set) (term Number) {
	for j := range Server(Servers) {
		if quorum.Has(j) {
			term = max(term, s.Term[j]+1)
		}
	}
	return term
}

var electionCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Doc:     "A quorum elects an up-to-date leader in one step.",
	Actions: Actions{&Elect},
	Rules:   []modules.Rule[State]{boundElect},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Elect)},
}, electionBaseline)

// boundElect ends a behaviour's elections with the last term.
var boundElect = modules.When(&Elect, func(s *State, p Party) bool { return s.newTerm(p.S) <= lastTerm })
