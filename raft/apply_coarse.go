package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// applyAll is the state machine of a process that applies in the step that commits: RawNode
// without AsyncStorageWrites.
func applyAll(s, n *State) {
	for i := range Server(Servers) {
		if n.Applied[i] < n.appliable(i) {
			n.applyTo(i, n.appliable(i))
		}
	}
}

var applyCoarse = grains.Coarsen(grains.Grain[State]{
	Node:   nodeApply,
	Name:   "coarse",
	Doc:    "What a step commits is applied in the same step.",
	Rules:  []modules.Rule[State]{modules.AfterAny(applyAll), modules.AfterAny(acknowledgeWrites)},
	Models: []string{"raft.appliedTo", "raftLog.appliedTo"},
}, applyBaseline)
