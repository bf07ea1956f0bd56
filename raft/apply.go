package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Apply hands what is committed to the state machine.
//
// Figure 2, "All Servers": lastApplied. Code: rawnode.go newStorageApplyMsg and
// MsgStorageApplyResp, raft.go appliedTo.
var Apply = Action[One]{
	Name:   "Apply",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Applied[p.I] < s.appliable(p.I) },
	Effect: func(s, n *State, p One) { n.applyTo(p.I, s.appliable(p.I)) },
}

// setCommit gives i a commit index. Next to a node, entries that change nothing but the state
// machine count as applied at once: the node applies them when it likes, and the moment makes no
// difference.
func (n *State) setCommit(i Server, k Number) {
	before := n.Commit[i]
	n.Commit[i] = k
	if besideNode && Membership && !ToldApplies && n.Applied[i] == before && !n.applyMatters(i, before, k) {
		n.Applied[i] = k
	}
}

// applyMatters reports whether one of i's entries after index k and up to index end is more than a
// command when it is applied.
func (s *State) applyMatters(i Server, k, end Number) bool {
	if s.Role[i] == Leader && (s.conf(i).AutoLeave || k < s.PendingConf[i] && s.PendingConf[i] <= end) {
		return true
	}
	for x := k + 1; x <= end; x++ {
		if s.changeAt(i, x).Kind != NoChange {
			return true
		}
	}
	return false
}

var applyBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "Applying is a step of its own.",
	Covers:  []string{"apply"},
	Actions: Actions{&Apply},
	Rules:   []modules.Rule[State]{modules.After(&Apply, func(s, n *State, _ One) { acknowledgeWrites(s, n) })},
	Models:  []string{"raft.appliedTo", "raftLog.appliedTo", "newStorageApplyMsg", "newStorageApplyRespMsg"},
}
