package raft

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// The grain demotions of Membership makes voters learners. Earlier versions of the library violate
// its properties: see versions.go for the mistakes, and configs/raft/versions.

var leaveSent = modules.Invariant[State]{ID: "LeaveSent", State: sendsLeaves,
	Doc: "A leader to and from which nothing is in flight has sent the end of a joint configuration to each server to which it may send an append (etcd pull request 14538)."}

func sendsLeaves(s *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] != Leader || s.busy(i) || Append != "messages" {
			continue
		}
		for j := range Server(Servers) {
			pr := &s.Pr[i][j]
			if i == j || !s.tracks(i, j) || pr.State != Replicate || s.inflightFull(i, j) {
				continue
			}
			if pr.Next <= s.lastIndex(i) && pr.Next > s.offset(i) && s.changeAt(i, pr.Next).Kind == LeaveJoint {
				return false
			}
		}
	}
	return true
}

// busy reports whether something is in flight from or to i.
func (s *State) busy(i Server) bool {
	for j := range Server(Servers) {
		if i != j && s.inFlight(i, j)+s.inFlight(j, i) > 0 {
			return true
		}
	}
	return false
}

var transferToVoter = modules.Invariant[State]{ID: "TransferToVoter", State: handsOverToVoters,
	Doc: "A leader that may lead hands over to a voter, so that it does not refuse commands in vain (etcd pull request 11417)."}

func handsOverToVoters(s *State) bool {
	for i := range s.Transferee {
		if j := s.Transferee[i]; s.Role[i] == Leader && s.promotable(Server(i)) && j != None && !s.votes(Server(i), j) {
			return false
		}
	}
	return true
}

// ProposeDemotion gives a leader the change of a voter to a learner.
//
// Code: as ProposeChange, with ConfChangeAddLearnerNode for a voter.
var ProposeDemotion = Action[Pair]{
	Name:   "ProposeDemotion",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		c := s.conf(p.I)
		return s.accepts(p.I) && !c.joint() && c.Voters.Has(p.J) && c.Voters.Len() > 1 && int(s.Changes) < MaxChanges
	},
	Effect: func(s, n *State, p Pair) {
		n.Changes++
		n.proposeChange(p.I, Change{Kind: Learn, Add: Set(0).With(p.J)})
	},
}

var membershipDemotions = grains.Refine(grains.Grain[State]{
	Name:       "demotions",
	Doc:        "Voters become learners, too.",
	Actions:    Actions{&ProposeChange, &ProposeLearner, &ProposeLeave, &ProposeDemotion},
	Budgets:    membershipBaseline.Budgets,
	Invariants: slices.Concat(membershipBaseline.Invariants, []modules.Invariant[State]{leaveSent, transferToVoter}),
	Models:     membershipBaseline.Models,
}, membershipBaseline)
