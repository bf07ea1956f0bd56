package wraft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "wraft",
	Doc:  "Raft with log compaction, as the C library WRaft runs it.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Servers elect a leader."},
		{Name: "replication", Doc: "The leader replicates its log and commits."},
		{Name: "snapshot", Doc: "Servers compact their logs, and leaders send snapshots."},
		{Name: "faults", Doc: "A server is isolated and returns.", Environment: true, Optional: true},
	},
	Grains:     []grains.Grain[State]{electionBaseline, replicationBaseline, snapshotBaseline, faultsIsolation},
	Invariants: invariants,
	Constraints: []modules.Invariant[State]{
		{ID: "wire", Doc: "At most as many messages are in flight as the bound \"wire\" says.", State: wire},
	},
	Options: []grains.Option{
		{Name: "repair", Doc: "What of the library is repaired: nothing, one of the mistakes, or all of them. See sizes.go.",
			Values: []string{"none", "append", "send", "refuse", "term", "retry", "beat", "last-term", "all"}, Default: "none", Const: "Repair"},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the cluster.", Min: 2, Max: 3, Default: Servers, Const: "Servers"},
		{Name: "terms", Doc: "The last term.", Min: 1, Max: 9, Default: MaxTerm, Const: "MaxTerm"},
		{Name: "requests", Doc: "Commands of clients along a behaviour.", Min: 1, Max: 5, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "queue", Doc: "Messages in flight from one server to another.", Min: 1, Max: 30, Default: MaxQueue, Const: "MaxQueue"},
		{Name: "wire", Doc: "Messages in flight altogether.", Min: 1, Max: 255, Default: MaxWire, Const: "MaxWire"},
		{Name: "timeouts", Doc: "Election timeouts along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "beats", Doc: "Rounds of heartbeats along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "compactions", Doc: "Logs that are compacted along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "isolations", Doc: "Servers that are isolated along a behaviour.", Min: 0, Max: 255, Default: 0},
	},
}

var electionBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each timeout, request and vote.",
	Covers:  []string{"election"},
	Actions: []modules.AnyAction[State]{&Timeout, &HandleVote, &HandleVoteResponse},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout)},
	Models: []string{"raft_become_candidate", "raft_recv_requestvote", "__should_grant_vote", "raft_recv_requestvote_response",
		"raft_become_leader", "raft_get_last_log_term"},
}

var replicationBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each command, heartbeat and message.",
	Covers:  []string{"replication"},
	Actions: []modules.AnyAction[State]{&Propose, &Beat, &HandleAppend, &HandleAppendResponse},
	Budgets: []modules.Budget[State]{modules.Spend[State]("beats", &Beat)},
	Models: []string{"raft_recv_entry", "raft_send_appendentries", "raft_send_appendentries_all", "raft_recv_appendentries",
		"raft_recv_appendentries_response", "raft_delete_entry_from_idx"},
}

var snapshotBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each compaction and each snapshot that comes.",
	Covers:  []string{"snapshot"},
	Actions: []modules.AnyAction[State]{&Compact, &HandleSnapshot},
	Budgets: []modules.Budget[State]{modules.Spend[State]("compactions", &Compact)},
	Models:  []string{"raft_begin_snapshot", "raft_end_snapshot", "raft_begin_load_snapshot"},
}

var faultsIsolation = grains.Grain[State]{
	Name:    "isolation",
	Doc:     "One server at a time is isolated, and returns.",
	Covers:  []string{"faults"},
	Actions: []modules.AnyAction[State]{&Isolate, &Return},
	Budgets: []modules.Budget[State]{modules.Spend[State]("isolations", &Isolate)},
}
