package reference

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]

// System is the catalog: the protocol is one module, the faults of its environment another.
var System = grains.System[State]{
	Name: "raft-reference",
	Doc:  "a small Raft with published counts, the yardstick for checkers",
	Init: Init,
	Modules: []grains.Module{
		{Name: "raft", Doc: "election and log replication"},
		{Name: "faults", Doc: "restarts of servers and loss of messages", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		raftBaseline, faultsRestartDrop,
	},
	Invariants: []modules.Invariant[State]{
		{ID: "ElectionSafety", Doc: "there is at most one leader in a term", State: ElectionSafety},
		{ID: "LogMatching", Doc: "entries of the same index and term are equal", State: LogMatching},
		{ID: "CommitAgree", Doc: "servers agree on the entries that both know to be committed", State: CommitAgree},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "servers in the cluster", Min: 2, Max: 5, Default: Servers, Const: "Servers"},
		{Name: "terms", Doc: "the last term", Min: 1, Max: 16, Default: MaxTerm, Const: "MaxTerm"},
		{Name: "requests", Doc: "commands that clients give", Min: 0, Max: 16, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "crashes", Doc: "restarts of servers", Min: 0, Max: 255, Default: 0},
		{Name: "drops", Doc: "messages that are lost", Min: 0, Max: 255, Default: 0},
		{Name: "queue", Doc: "messages in flight on a channel", Min: 1, Max: 16, Default: MaxQueue, Const: "MaxQueue"},
	},
}
