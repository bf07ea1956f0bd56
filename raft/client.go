package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Propose gives a leader the next command.
//
// Section 5.3. TLA+: ClientRequest. Code: raft.go stepLeader, MsgProp, by RawNode.Propose.
var Propose = Action[One]{
	Name:   "Propose",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.accepts(p.I) },
	Effect: func(s, n *State, p One) {
		n.Proposed = s.Proposed + 1
		n.appendEntry(p.I, Entry{Term: s.Term[p.I], Value: n.Proposed})
	},
}

var clientBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "Commands.",
	Covers:  []string{"client"},
	Actions: Actions{&Propose},
	Budgets: []modules.Budget[State]{modules.Spend[State]("requests", &Propose)},
	Models:  []string{"stepLeader", "raft.appendEntry"},
}
