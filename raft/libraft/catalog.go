package libraft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "libraft",
	Doc:  "Raft, as the C library of dqlite runs it.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Servers elect a leader."},
		{Name: "replication", Doc: "The leader replicates its log and commits."},
		{Name: "faults", Doc: "Servers restart, connections break and heal.", Environment: true, Optional: true},
	},
	Grains:     []grains.Grain[State]{electionBaseline, replicationBaseline, replicationWrites, faultsRestartPartition},
	Invariants: invariants,
	Constraints: []modules.Invariant[State]{
		{ID: "wire", Doc: "At most as many messages are in flight as the bound \"wire\" says.", State: wire},
	},
	Options: []grains.Option{
		{Name: "release", Doc: "The version of the library, or \"repaired\": what a leader commits and what a follower answers is right.",
			Values: []string{"0.15.0", "repaired"}, Default: "0.15.0", Const: "Release", Releases: []grains.Release{{Version: "0.15.0", Value: "0.15.0"}}},
		{Name: "prevote", Doc: "Whether candidates ask before they take the next term: raft_set_pre_vote.", Default: "false", Const: "PreVote"},
		{Name: "writes", Doc: "Whether a write completes in a step of its own. The grain writes of replication sets it.", Default: "false", Const: "Writes"},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the cluster.", Min: 2, Max: 5, Default: Servers, Const: "Servers"},
		{Name: "terms", Doc: "The last term; the first one is 1.", Min: 2, Max: 20, Default: MaxTerm, Const: "MaxTerm"},
		{Name: "requests", Doc: "Commands of clients along a behaviour.", Min: 0, Max: 20, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "queue", Doc: "Messages in flight from one server to another.", Min: 1, Max: 60, Default: MaxQueue, Const: "MaxQueue"},
		{Name: "wire", Doc: "Messages in flight altogether.", Min: 1, Max: 255, Default: MaxWire, Const: "MaxWire"},
		{Name: "pending", Doc: "Writes of a server that are not complete.", Min: 1, Max: 9, Default: MaxWrites, Const: "MaxWrites"},
		{Name: "timeouts", Doc: "Election timeouts along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "beats", Doc: "Rounds of heartbeats along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "passes", Doc: "Times that heartbeat_timeout passes between ticks.", Min: 0, Max: 255, Default: 0},
		{Name: "checks", Doc: "Times that a leader checks who answered.", Min: 0, Max: 255, Default: 0},
		{Name: "restarts", Doc: "Servers that crash and start again.", Min: 0, Max: 255, Default: 0},
		{Name: "partitions", Doc: "Connections that break.", Min: 0, Max: 255, Default: 0},
	},
}

var electionBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each timeout, request and vote.",
	Covers:  []string{"election"},
	Actions: []modules.AnyAction[State]{&Timeout, &HandleVote, &HandleVoteResult},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout)},
	Models: []string{"tickFollower", "tickCandidate", "convertToCandidate", "convertToLeader", "electionStart", "electionSend", "electionVote",
		"electionTally", "recvRequestVote", "recvRequestVoteResult", "recvBumpCurrentTerm"},
}

var replicationModels = []string{"raft_apply", "tickLeader", "checkContactQuorum", "replicationTrigger", "replicationProgress", "sendAppendEntries",
	"sendAppendEntriesCb", "recvAppendEntries", "replicationAppend", "recvAppendEntriesResult", "replicationUpdate", "replicationQuorum",
	"replicationApply", "appendLeaderCb", "appendFollowerCb", "updateLastStored"}

var replicationBudgets = []modules.Budget[State]{
	modules.Spend[State]("beats", &Beat), modules.Spend[State]("passes", &Pass), modules.Spend[State]("checks", &CheckQuorum),
}

var replicationBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each command, tick and message. Writes are complete at once.",
	Covers:  []string{"replication"},
	Actions: []modules.AnyAction[State]{&Propose, &Beat, &Pass, &CheckQuorum, &HandleAppend, &HandleAck},
	Budgets: replicationBudgets,
	Models:  replicationModels,
}

var replicationWrites = grains.Grain[State]{
	Name:    "writes",
	Doc:     "A write completes in a step of its own.",
	Covers:  []string{"replication"},
	From:    []grains.Ref{{Module: "replication", Grain: "baseline"}},
	Refines: true,
	Sets:    []grains.Setting{{Name: "writes", Value: "true"}},
	Actions: []modules.AnyAction[State]{&Propose, &Beat, &Pass, &CheckQuorum, &HandleAppend, &HandleAck, &CompleteWrite},
	Budgets: replicationBudgets,
	Models:  replicationModels,
}

var faultsRestartPartition = grains.Grain[State]{
	Name:    "restart-partition",
	Doc:     "A server crashes and starts again in one step; connections break and heal.",
	Covers:  []string{"faults"},
	Actions: []modules.AnyAction[State]{&Restart, &Cut, &Heal},
	Budgets: []modules.Budget[State]{modules.Spend[State]("restarts", &Restart), modules.Spend[State]("partitions", &Cut)},
	Models:  []string{"raft_start", "restoreEntries"},
}
