package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]

// System is the catalog of ZooKeeper's atomic broadcast.
var System = grains.System[State]{
	Name: "zab",
	Doc:  "ZooKeeper's atomic broadcast, as ZooKeeper 3.9.1 runs it.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Fast Leader Election: who leads."},
		{Name: "discovery", Doc: "The new leader chooses an epoch that a quorum has not seen yet."},
		{Name: "synchronization", Doc: "The leader brings its followers' histories up to date."},
		{Name: "broadcast", Doc: "The leader proposes transactions and commits them."},
		{Name: "faults", Doc: "Servers crash and restart, links break and heal.", Environment: true},
	},
	Grains: []grains.Grain[State]{
		electionBaseline, discoveryBaseline,
		electionCoarse, discoveryCoarse, electionDiscoveryCoarse, electionDiscoveryCoarseJoin,
		synchronizationBaseline, synchronizationFineAtomic, synchronizationFineConcurrent, synchronizationFineLeader, synchronizationCoarse,
		broadcastBaseline, broadcastCoarse, broadcastFineConcurrent, broadcastFineApply,
		broadcastFineLeaderLog, broadcastFineLeaderApply, broadcastFineLeader,
		faultsCrashPartition, faultsEndpoints, faultsCrashPartitionTimeout, faultsCrashPartitionDisk,
		faultsPower, faultsPowerThreads, faultsPowerFlush, faultsPowerNames, faultsPowerAll,
		electionOneSided, electionOneSidedVotes, discoveryOneSided, synchronizationOneSided, broadcastOneSided, faultsOneSided,
	},
	Invariants: protocolInvariants,
	Liveness:   livenessProperties,
	Rules:      ghosts,
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the ensemble.",
			Min: 1, Max: 7, Default: 3, Const: "Servers"},
		{Name: "transactions", Doc: "Transactions in the longest history that requests build.",
			Min: 0, Max: 100, Default: 2, Const: "MaxTransactions"},
		{Name: "requests", Doc: "Client requests along a behaviour.",
			Min: 0, Max: 100, Default: 2, Const: "MaxRequests"},
		{Name: "crashes", Doc: "Crashes along a behaviour.", Min: 0, Max: 255, Default: 2},
		{Name: "partitions", Doc: "Partitions along a behaviour.", Min: 0, Max: 255, Default: 2},
		{Name: "epochs", Doc: "Epochs along a behaviour. At the coarse grain of Election each except the first follows a fault.",
			Min: 1, Max: 60, Default: 5, Const: "MaxEpochs"},
		{Name: "fle_timeouts", Doc: "Times that a server hears nothing during elections, along a behaviour.",
			Min: 0, Max: 255, Default: 1},
		{Name: "notifications", Doc: "Notifications in flight in one direction. A server's queue holds as many from each of the others.",
			Min: 1, Max: 64, Default: 4, Const: "MaxNotifications"},
		{Name: "timeouts", Doc: "Times that a server waits in vain for its leader or a follower, along a behaviour.",
			Min: 0, Max: 255, Default: 0},
		{Name: "snapshots", Doc: "Snapshots that servers take while they serve, along a behaviour.",
			Min: 0, Max: 255, Default: 0},
		{Name: "losses", Doc: "Losses of power along a behaviour.",
			Min: 0, Max: 255, Default: 0},
		{Name: "closings", Doc: "1 where the end of a connection takes room in a channel. The grain endpoints of faults sets it.",
			Min: 0, Max: 1, Default: 0, Const: "Closings"},
	},
	Options: []grains.Option{
		{Name: "variant", Doc: "Version of ZooKeeper.",
			Values: variants, Default: "v3.9.1", Const: "Variant", Releases: releases},
		{Name: "fix", Doc: "Change to ZooKeeper's code: the fix of ZOOKEEPER-4712, pull requests on top of it, repairs.",
			Values: []string{"none", "zk-4712", "pr-1848", "pr-1930", "pr-1993", "pr-2111", "final", "pr-2152", "pr-2254",
				"acks-taken-back", "rejoin", "reads-log", "pr-2459", "pr-1109", "repairs"}, Default: "none", Const: "Fix"},
		{Name: "bug", Doc: "Faulty code of an earlier version, by its ticket.",
			Values: []string{"none", "zk-1154", "zk-2832", "zk-2845", "zk-3911"}, Default: "none", Const: "Bug"},
		{Name: "exceptions", Doc: "Whether a behaviour continues after an exception as the code does, or ends there, as in the paper.",
			Values: []string{"continue", "end"}, Default: "continue", Const: "Exceptions"},
		{Name: "disk", Doc: "Whether a server's log, snapshot and memory are one history, as in the paper, or apart.",
			Values: []string{"one", "apart"}, Default: "one", Const: "Storage"},
		{Name: "truncation", Doc: "With disks apart: TRUNC as the code has it, or a repair of the log, of snapshots, of both; pr-2172 is another, and snap sends SNAP instead.",
			Values: []string{"code", "log", "snapshots", "both", "pr-2172", "snap"}, Default: "code", Const: "Truncation"},
		{Name: "epoch_zxids", Doc: "With disks apart: whether a leader that serves takes the zxid of its epoch for its last one, as ZooKeeper does.",
			Default: "false", Const: "EpochZxids"},
		{Name: "forces", Doc: "What servers force to disk: as the code does it, nothing (forceSync=no), or more: snapshots, the log at a start, the old file of a log, names of epochs, ends of logs, all of it.",
			Values: []string{"code", "none", "snapshots", "start", "old-file", "names", "ends", "all"}, Default: "code", Const: "Forces"},
		{Name: "beside", Doc: "Whether the specification runs beside one server, and not where all of them are explored.",
			Default: "false", Const: "Beside"},
		{Name: "one_sided", Doc: "Whether each step is one server's. The grains one-sided set it.",
			Default: "false", Const: "OneSided"},
		{Name: "snap", Doc: "Whether the leader may synchronise a follower by a snapshot.", Default: "true", Const: "Snap"},
	},
	AtNode: besideSettings,
}
