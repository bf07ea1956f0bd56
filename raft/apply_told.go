package raft

import "github.com/multigrain/multigrain/grains"

// What is applied, as a running server's application says it: RawNode.ApplyConfChange for each
// change, and Advance or MsgStorageApplyResp after all that a Ready hands out.
//
// Deviation: a restart continues from what was reported last, as an application does that keeps
// ConfState and Config.Applied with its state.

// ApplyChange makes the configuration change at index AppliedTo take effect.
//
// Code: raft.go applyConfChange.
var ApplyChange = Action[One]{
	Name:   "ApplyChange",
	Params: each,
	Guard: func(s *State, p One) bool {
		return ToldApplies && s.appliedIndex() <= s.Commit[p.I] && s.appliedIndex() > s.Applied[p.I]
	},
	Effect: func(s, n *State, p One) {
		if Membership {
			n.switchTo(p.I, s.Conf[p.I].with(s.changeAt(p.I, s.appliedIndex())))
		}
	},
}

// NoteApplied notes that all up to index AppliedTo is applied. A leader leaves a joint
// configuration that leaves by itself.
//
// Code: raft.go appliedTo.
var NoteApplied = Action[One]{
	Name:   "NoteApplied",
	Params: each,
	Guard: func(s *State, p One) bool {
		return ToldApplies && s.appliedIndex() <= s.Commit[p.I] && s.appliedIndex() > s.Applied[p.I]
	},
	Effect: func(s, n *State, p One) {
		n.Applied[p.I] = s.appliedIndex()
		n.leaveJoint(p.I, s.Applied[p.I])
	},
}

// appliedIndex returns the index that the application reports as applied.
func (s *State) appliedIndex() (k Number) {
	for x := range s.AppliedTo {
		k = s.AppliedTo[x]
	}
	return k
}

var applyTold = grains.Refine(grains.Grain[State]{
	Name:    "told",
	Doc:     "The application says what it has applied.",
	Actions: Actions{&ApplyChange, &NoteApplied},
	Sets:    []grains.Setting{{Name: "told_applies", Value: "true"}},
	Models:  []string{"raft.appliedTo", "raftLog.appliedTo", "raft.applyConfChange", "raft.switchToConfig"},
}, applyBaseline)
