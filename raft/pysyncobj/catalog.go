package pysyncobj

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "pysyncobj",
	Doc:  "Raft, as the Python library PySyncObj runs it.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Servers elect a leader."},
		{Name: "replication", Doc: "The leader replicates its log and commits."},
		{Name: "transfer", Doc: "A leader hands its leadership over.", Optional: true},
		{Name: "faults", Doc: "Servers restart, connections break and heal.", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		electionBaseline, replicationBaseline, replicationTicks, transferBaseline, faultsRestartPartition,
	},
	Invariants: invariants,
	Constraints: []modules.Invariant[State]{
		{ID: "wire", Doc: "At most as many messages are in flight as the bound \"wire\" says.", State: wire},
	},
	Options: []grains.Option{
		{Name: "release", Doc: "The version of the library, of those in which the modelled code differs.",
			Values: []string{"0.3.11", "0.3.12", "0.3.16"}, Default: "0.3.16", Const: "Release", Releases: []grains.Release{
				{Version: "0.3.11", Value: "0.3.11"},
				{Version: "0.3.12", Value: "0.3.12"}, {Version: "0.3.13", Value: "0.3.12"},
				{Version: "0.3.14", Value: "0.3.12"}, {Version: "0.3.15", Value: "0.3.12"},
				{Version: "0.3.16", Value: "0.3.16"}, {Version: "0.3.17", Value: "0.3.16"},
			}},
		{Name: "batch", Doc: "Whether appends wait for their period: appendEntriesUseBatch.", Default: "true", Const: "Batch"},
		{Name: "ticks", Doc: "Whether handling a message and ticking are two steps. The grain ticks of replication sets it.", Default: "false", Const: "Ticks"},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the cluster.", Min: 2, Max: 5, Default: Servers, Const: "Servers"},
		{Name: "terms", Doc: "The last term.", Min: 1, Max: 20, Default: MaxTerm, Const: "MaxTerm"},
		{Name: "requests", Doc: "Commands of clients along a behaviour.", Min: 0, Max: 20, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "queue", Doc: "Messages in flight from one server to another.", Min: 1, Max: 60, Default: MaxQueue, Const: "MaxQueue"},
		{Name: "wire", Doc: "Messages in flight altogether.", Min: 1, Max: 255, Default: MaxWire, Const: "MaxWire"},
		{Name: "timeouts", Doc: "Election timeouts along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "beats", Doc: "Rounds of appends that time causes along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "fallbacks", Doc: "Leaders that step down because nobody answers.", Min: 0, Max: 255, Default: 0},
		{Name: "transfers", Doc: "Transfers of the leadership along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "restarts", Doc: "Servers that crash and start again.", Min: 0, Max: 255, Default: 0},
		{Name: "partitions", Doc: "Connections that break.", Min: 0, Max: 255, Default: 0},
	},
}

var electionBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each timeout, request and vote.",
	Covers:  []string{"election"},
	Actions: []modules.AnyAction[State]{&Timeout, &HandleVote, &HandleVoteReply},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout)},
	Models:  []string{"SyncObj._onTick", "SyncObj.__onMessageReceived", "SyncObj.__onBecomeLeader"},
}

var replicationBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A node ticks after each message.",
	Covers:  []string{"replication"},
	Actions: []modules.AnyAction[State]{&Propose, &Beat, &Fallback, &HandleAppend, &HandleAck},
	Budgets: []modules.Budget[State]{modules.Spend[State]("beats", &Beat), modules.Spend[State]("fallbacks", &Fallback)},
	Models:  replicationModels,
}

var replicationModels = []string{"SyncObj._onTick", "SyncObj.__onMessageReceived", "SyncObj.__sendAppendEntries",
	"SyncObj.__sendNextNodeIdx", "SyncObj._checkCommandsToApply", "SyncObj.__applyLogEntries"}

var replicationTicks = grains.Grain[State]{
	Name:    "ticks",
	Doc:     "A node may handle several messages before it ticks.",
	Covers:  []string{"replication"},
	From:    []grains.Ref{{Module: "replication", Grain: "baseline"}},
	Refines: true,
	Sets:    []grains.Setting{{Name: "ticks", Value: "true"}},
	Actions: []modules.AnyAction[State]{&Propose, &Beat, &Fallback, &HandleAppend, &HandleAck, &Tick},
	Budgets: []modules.Budget[State]{modules.Spend[State]("beats", &Beat), modules.Spend[State]("fallbacks", &Fallback)},
	Models:  replicationModels,
}

var transferBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A leader asks a follower that has all entries to campaign. From 0.3.16 on.",
	Covers:  []string{"transfer"},
	Actions: []modules.AnyAction[State]{&Transfer, &HandleTransfer},
	Budgets: []modules.Budget[State]{modules.Spend[State]("transfers", &Transfer)},
	Models:  []string{"SyncObj.transferLeadership"},
}

var faultsRestartPartition = grains.Grain[State]{
	Name:    "restart-partition",
	Doc:     "A server crashes and starts again in one step; connections break and heal.",
	Covers:  []string{"faults"},
	Actions: []modules.AnyAction[State]{&Restart, &Cut, &Heal},
	Budgets: []modules.Budget[State]{modules.Spend[State]("restarts", &Restart), modules.Spend[State]("partitions", &Cut)},
	Models:  []string{"SyncObj.__init__", "SyncObj.__onNodeConnected", "SyncObj.__onNodeDisconnected"},
}
