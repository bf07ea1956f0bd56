package chain

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Crash stops a server. What is in flight to and from it is lost. One server always stays alive.
var Crash = Action[One]{
	Name:   "Crash",
	Params: eachServer,
	Guard: func(s *State, p One) bool {
		others := 0
		for i := range Node(Servers) {
			if i != p.I && s.Alive[i] {
				others++
			}
		}
		return s.Alive[p.I] && others > 0
	},
	Effect: func(s, n *State, p One) {
		n.Alive[p.I] = false
		for j := range Node(Nodes) {
			n.Msgs.Cut(p.I, j)
			n.Msgs.Cut(j, p.I)
		}
	},
}

var faultsStopping = grains.Grain[State]{
	Name:    "stopping",
	Covers:  []string{"faults"},
	Actions: Actions{&Crash},
	Budgets: []modules.Budget[State]{modules.Spend[State]("crashes", &Crash)},
}

// propagated reports whether the Update Propagation Invariant of section 3.1 holds: a server has
// stored no more than its predecessors.
func propagated(s *State) bool {
	for i := range Servers {
		for j := range Servers {
			if i < j && s.Alive[i] && s.Alive[j] && s.Log[j] > s.Log[i] {
				return false
			}
		}
	}
	return true
}

// fresh: an answer is not older than what the client knew when it asked.
func fresh(s *State) bool { return s.Phase != Answered || s.Answer >= s.Floor }

// everywhere: what the tail acknowledges is stored by every server that is alive.
func everywhere(s, n *State, p One) bool {
	for i := range Servers {
		if s.Alive[i] && s.Log[i] < s.Msgs.Peek(p.I, Client, DONE).V {
			return false
		}
	}
	return true
}

// System is the catalog.
var System = grains.System[State]{
	Name: "chain",
	Doc:  "Chain replication of one object, with servers that stop.",
	Init: start,
	Roles: []modules.Role{
		{Name: "server", Count: Servers},
		{Name: "client"},
		{Name: "master"},
	},
	Modules: []grains.Module{
		{Name: "client", Doc: "sends updates and queries"},
		{Name: "replication", Doc: "passes updates from head to tail and answers queries"},
		{Name: "master", Doc: "removes servers that have failed"},
		{Name: "faults", Doc: "stops servers", Environment: true},
	},
	Grains: []grains.Grain[State]{
		clientBaseline, clientCoarse, replicationBaseline, replicationCoarse, masterBaseline, masterCoarse, faultsStopping,
	},
	Invariants: []modules.Invariant[State]{
		{ID: "UpdatePropagation", Doc: "A server has stored no more updates than its predecessors in the chain.", State: propagated},
		{ID: "FreshReads", Doc: "An answer is not older than what the client knew when it asked.", State: fresh},
		{ID: "AcknowledgedEverywhere", Doc: "An acknowledged update is stored by every server that is alive.", OnStep: modules.OnStep(&TakeDone, everywhere)},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "servers of the chain", Min: 1, Max: 5, Default: 3, Const: "Servers"},
		{Name: "puts", Doc: "updates", Min: 1, Max: 6, Default: 2, Const: "MaxPuts"},
		{Name: "gets", Doc: "queries", Min: 0, Max: 6, Default: 1, Const: "MaxGets"},
		{Name: "crashes", Doc: "servers that stop", Min: 0, Max: 4, Default: 1},
	},
	Options: []grains.Option{
		{Name: "read_at_head", Doc: "the head answers queries, a mistake", Default: "false", Const: "ReadAtHead"},
	},
}
