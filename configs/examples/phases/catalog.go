package phases

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

var prepareBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "every message is a step",
	Covers:  []string{"prepare"},
	Actions: Actions{&Prepare, &Join, &CountAck},
}

var proposeBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "every message is a step",
	Covers:  []string{"propose"},
	Actions: Actions{&Propose, &Take, &Promise, &CountPromise, &Output},
}

var networkLoss = grains.Grain[State]{
	Name:    "loss",
	Doc:     "messages are lost",
	Covers:  []string{"network"},
	Actions: Actions{&Lose},
	Budgets: []modules.Budget[State]{modules.Spend[State]("losses", &Lose)},
}

// System is the catalog of the protocol.
var System = grains.System[State]{
	Name: "phases",
	Doc:  "state machine replication in phases of four rounds",
	Init: Init,
	Modules: []grains.Module{
		{Name: "prepare", Doc: "rounds prepare and ack: a leader collects the logs of a majority"},
		{Name: "propose", Doc: "rounds propose and promise: a majority takes over the leader's log"},
		{Name: "network", Doc: "loss of messages", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{prepareBaseline, proposeBaseline, networkLoss},
	Invariants: []modules.Invariant[State]{
		{ID: "Agreement", Doc: "Of any two outputs one is a prefix of the other.", State: Agreement},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "servers", Min: 1, Max: 5, Default: Servers, Const: "Servers"},
		{Name: "phases", Doc: "phases; each adds a command", Min: 1, Max: 8, Default: MaxPhases, Const: "MaxPhases"},
		{Name: "losses", Doc: "messages that are lost", Min: 0, Max: 255, Default: 0},
	},
	Options: []grains.Option{
		{Name: "dated", Doc: "which phase dates a log: the last in which the server took over a proposal, or the last that it joined, which is the mistake of the paper's section 2", Values: []string{"taken", "joined"}, Default: "taken", Const: "Dated"},
	},
}
