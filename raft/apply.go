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

var applyBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "Applying is a step of its own.",
	Covers:  []string{"apply"},
	Actions: Actions{&Apply},
	Rules:   []modules.Rule[State]{modules.After(&Apply, func(s, n *State, _ One) { acknowledgeWrites(s, n) })},
	Models:  []string{"raft.appliedTo", "raftLog.appliedTo", "newStorageApplyMsg", "newStorageApplyRespMsg"},
}
