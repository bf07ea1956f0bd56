package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// ProposeChange gives a leader a change to another set of voters: one voter at a time, or jointly,
// by the option "membership". One that is refused leaves an empty entry.
//
// Section 6; dissertation, sections 4.1 and 4.3. Code: raft.go stepLeader, MsgProp, by
// RawNode.ProposeConfChange.
var ProposeChange = Action[Party]{
	Name:   "ProposeChange",
	Params: targets,
	Guard: func(s *State, p Party) bool {
		c := s.conf(p.I)
		differ := c.Voters.Minus(p.S).Union(p.S.Minus(c.Voters)).Len()
		return s.accepts(p.I) && differ > 0 && (differ == 1 || ByConsensus != "one-at-a-time") && int(s.Changes) < MaxChanges
	},
	Effect: func(s, n *State, p Party) {
		c := s.conf(p.I)
		ch := Change{Kind: Simple, Add: p.S.Minus(c.Voters), Remove: c.Voters.Minus(p.S)}
		if ch.Add.Len()+ch.Remove.Len() > 1 {
			ch.Kind = JointAuto
			if ByConsensus == "joint-manual" {
				ch.Kind = JointManual
			}
		}
		n.Changes++
		n.proposeChange(p.I, ch)
	},
}

// targets enumerates leaders and sets of voters.
func targets(yield func(Party) bool) {
	for i := range Server(Servers) {
		for t := Set(1); t <= Everyone; t++ {
			if !yield(Party{I: i, S: t}) {
				return
			}
		}
	}
}

// ProposeLearner gives a leader a new server, which learns the log and does not vote.
//
// Dissertation, section 4.2.1. Code: as ProposeChange.
var ProposeLearner = Action[Pair]{
	Name:   "ProposeLearner",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.accepts(p.I) && !s.tracks(p.I, p.J) && int(s.Changes) < MaxChanges
	},
	Effect: func(s, n *State, p Pair) {
		n.Changes++
		n.proposeChange(p.I, Change{Kind: Learn, Add: Set(0).With(p.J)})
	},
}

// ProposeLeave makes a leader leave a joint configuration that does not leave by itself.
var ProposeLeave = Action[One]{
	Name:   "ProposeLeave",
	Params: each,
	Guard: func(s *State, p One) bool {
		c := s.conf(p.I)
		return s.accepts(p.I) && c.joint() && !c.AutoLeave && s.mayChange(p.I, Change{Kind: LeaveJoint})
	},
	Effect: func(s, n *State, p One) { n.proposeChange(p.I, Change{Kind: LeaveJoint}) },
}

var membershipBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "One voter at a time, or joint consensus, by the option \"membership\"; learners.",
	Covers:  []string{"membership"},
	Actions: Actions{&ProposeChange, &ProposeLearner, &ProposeLeave},
	Budgets: []modules.Budget[State]{modules.Spend[State]("learners", &ProposeLearner)},
	Invariants: []modules.Invariant[State]{
		{ID: "ConfAgrees", State: confsAgree, Doc: "Servers that have applied as much have the same configuration."},
		{ID: "OneChange", State: oneChange, Doc: "There is at most one uncommitted configuration change (dissertation, section 4.1)."},
		{ID: "AppliedCommitted", State: appliedCommitted, Doc: "What is applied is committed (figure 2, lastApplied)."},
	},
	Models: []string{"stepLeader", "raft.applyConfChange", "raft.switchToConfig", "raft.appliedTo", "raft.hasUnappliedConfChanges",
		"confchange.Changer.Simple", "confchange.Changer.EnterJoint", "confchange.Changer.LeaveJoint",
		"quorum.JointConfig.CommittedIndex", "quorum.JointConfig.VoteResult"},
	Offers: []grains.OptionValue{{Option: "membership", Value: "joint"}, {Option: "membership", Value: "joint-manual"}},
}

// confsAgree: the configuration is a function of what has been applied.
func confsAgree(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.Applied[i] == s.Applied[j] && s.conf(i) != s.conf(j) {
				return false
			}
		}
	}
	return true
}

// appliedCommitted: nothing takes effect before it is committed.
func appliedCommitted(s *State) bool {
	for i := range Server(Servers) {
		if s.Applied[i] > s.Commit[i] {
			return false
		}
	}
	return true
}

// oneChange: what nobody knows to be committed holds at most one change.
func oneChange(s *State) bool {
	var committed Number
	for i := range Server(Servers) {
		committed = max(committed, s.Commit[i])
	}
	for i := range Server(Servers) {
		changes := 0
		for k := committed + 1; Membership && k <= s.lastIndex(i); k++ {
			if s.changeAt(i, k).Kind != NoChange {
				changes++
			}
		}
		if changes > 1 {
			return false
		}
	}
	return true
}
