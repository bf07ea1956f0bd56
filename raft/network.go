package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Drop loses a message from J to I. UDP.
var Drop = Action[At]{
	Name:   "Drop",
	Params: positions,
	Guard:  func(s *State, p At) bool { return Network == "udp" && int(p.K) <= s.inFlight(p.J, p.I) },
	Effect: func(s, n *State, p At) { n.Bag.Lose(p.J, p.I, int(p.K)) },
}

// Duplicate puts a second copy of a message from J to I in flight. UDP.
var Duplicate = Action[At]{
	Name:   "Duplicate",
	Params: positions,
	Guard:  func(s *State, p At) bool { return Network == "udp" && int(p.K) <= s.inFlight(p.J, p.I) },
	Effect: func(s, n *State, p At) { n.Bag.Duplicate(p.J, p.I, int(p.K)) },
}

var networkReported = grains.Grain[State]{
	Node:     grains.Form{As: []grains.Ref{{Module: "network", Grain: "drop-duplicate"}}, Why: "the grains next to a node take reports from the stream"},
	Name:     "reported",
	Doc:      "UDP loses and duplicates messages, and the transport reports what became of them.",
	Covers:   []string{"network"},
	Actions:  Actions{&Drop, &Duplicate, &ReportUnreachable, &ReportFinish, &ReportFailure},
	Sets:     []grains.Setting{{Name: "reported", Value: "true"}},
	Requires: []grains.Ref{{Module: "replication", Grain: "baseline"}},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("drops", &Drop),
		modules.Spend[State]("duplicates", &Duplicate),
		modules.Spend[State]("reports", &ReportUnreachable, &ReportFinish, &ReportFailure),
	},
	Models: []string{"RawNode.ReportUnreachable", "RawNode.ReportSnapshot"},
}

var networkDropDuplicate = grains.Grain[State]{
	Name:    "drop-duplicate",
	Doc:     "UDP loses and duplicates messages.",
	Covers:  []string{"network"},
	Actions: Actions{&Drop, &Duplicate},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("drops", &Drop),
		modules.Spend[State]("duplicates", &Duplicate),
	},
}
