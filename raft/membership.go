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

// accepts reports whether i takes proposals. raft.go stepLeader, MsgProp: ErrProposalDropped.
func (s *State) accepts(i Server) bool {
	return s.Role[i] == Leader && s.tracks(i, i) && (MaxTransfers == 0 || s.Transferee[i] == None)
}

// mayChange reports whether the leader i takes a change now. raft.go stepLeader, MsgProp:
// failedCheck.
func (s *State) mayChange(i Server, ch Change) bool {
	return (s.PendingConf[i] <= s.Applied[i] || Mistake == ConcurrentChanges) && s.conf(i).joint() == (ch.Kind == LeaveJoint)
}

// proposeChange appends a change, or an empty entry where it is refused.
func (n *State) proposeChange(i Server, ch Change) {
	e := Entry{Term: n.Term[i]}
	if n.mayChange(i, ch) {
		n.PendingConf[i] = n.lastIndex(i) + 1
		for x := range e.Change {
			e.Change[x] = ch
		}
	}
	n.appendEntry(i, e)
}

// hasUnappliedChange reports whether i has committed a change that it has not applied. raft.go
// hasUnappliedConfChanges.
func (s *State) hasUnappliedChange(i Server) bool {
	for k := s.Commit[i]; Membership && k > s.Applied[i]; k-- {
		if s.changeAt(i, k).Kind != NoChange {
			return true
		}
	}
	return false
}

// applyTo applies i's committed entries up to k: changes take effect, and a leader leaves a joint
// configuration that leaves by itself. raft.go applyConfChange, switchToConfig, appliedTo.
func (n *State) applyTo(i Server, k Number) {
	for x := n.Applied[i] + 1; Membership && x <= k; x++ {
		if ch := n.changeAt(i, x); ch.Kind != NoChange {
			n.switchTo(i, n.Conf[i].with(ch))
		}
	}
	n.Applied[i] = k
	n.leaveJoint(i)
}

// leaveJoint makes a leader that has applied all changes leave a joint configuration that leaves by
// itself. raft.go appliedTo.
func (n *State) leaveJoint(i Server) {
	if Membership && n.Conf[i].AutoLeave && n.Applied[i] >= n.PendingConf[i] && n.accepts(i) {
		n.proposeChange(i, Change{Kind: LeaveJoint})
	}
}

// switchTo gives i a new configuration. raft.go switchToConfig; confchange.go initProgress, remove.
func (n *State) switchTo(i Server, c Conf) {
	before := n.Conf[i]
	n.Conf[i] = c
	if n.Role[i] != Leader {
		return
	}
	had := before.Voters.Union(before.Outgoing).Union(before.Learners)
	for j := range Server(Servers) {
		switch {
		case !n.tracks(i, j):
			n.Pr[i][j] = Progress{}
			n.RecentActive[i].Remove(j)
		case !had.Has(j):
			n.Pr[i][j] = Progress{Next: max(n.lastIndex(i), 1)}
			n.heardOf(i, j)
		}
	}
	if !n.promotable(i) {
		return
	}
	if n.maybeCommit(i) {
		n.bcastAppend(i)
	} else {
		for j := range Server(Servers) {
			if j != i && n.tracks(i, j) {
				n.maybeSendAppend(i, j, false)
			}
		}
	}
	if MaxTransfers > 0 && n.Transferee[i] != None && !n.votes(i, n.Transferee[i]) {
		n.Transferee[i] = None
	}
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
