package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]

// System is the catalog of the published specifications of ZooKeeper.
var System = grains.System[State]{
	Name: "zab-published",
	Doc:  "The published TLA+ specifications of ZooKeeper, MSPEC_2 and ZkV3_7_0.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Fast Leader Election: who leads."},
		{Name: "discovery", Doc: "The new leader chooses an epoch that a quorum has not seen yet."},
		{Name: "synchronization", Doc: "The leader brings its followers' histories up to date."},
		{Name: "broadcast", Doc: "The leader proposes transactions and commits them."},
		{Name: "faults", Doc: "Servers crash and restart, links break and heal.", Environment: true},
		{Name: "bounds", Doc: "First step, bounds and variables of one specification.", Environment: true},
	},
	Grains: []grains.Grain[State]{
		electionBaseline, discoveryBaseline, electionCoarse,
		synchronizationBaseline, synchronizationFineAtomic,
		broadcastBaseline,
		crashPartition,
		mspec2, zk37,
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the ensemble.",
			Min: 1, Max: 7, Default: 3, Const: "Servers"},
		{Name: "transactions", Doc: "MaxTransactionNum: transactions in the longest history.",
			Min: 0, Max: 100, Default: 2, Const: "MaxTransactions"},
		{Name: "crashes", Doc: "MaxCrashes: crashes along a behaviour.", Min: 0, Max: 255, Default: 1},
		{Name: "partitions", Doc: "MaxPartitions: partitions along a behaviour.", Min: 0, Max: 255, Default: 1},
		{Name: "timeouts", Doc: "MaxTimeoutFailures: faults that count as time-outs.",
			Min: 0, Max: 255, Default: 1, Const: "MaxTimeoutFailures"},
		{Name: "epochs", Doc: "MaxEpoch of zk-3.7. It must not bind in mspec-2, which has no such limit.",
			Min: 1, Max: 60, Default: 5, Const: "MaxEpochs"},
		{Name: "fle_timeouts", Doc: "MaxFleTimeout: times that a server hears nothing during elections.",
			Min: 0, Max: 255, Default: 1},
		{Name: "notifications", Doc: "Notifications in flight in one direction. It must not bind.",
			Min: 1, Max: 64, Default: 4, Const: "MaxNotifications"},
	},
	Options: []grains.Option{
		{Name: "specification", Doc: "Published specification.",
			Values: []string{"mspec-2", "zk-3.7"}, Default: "mspec-2", Const: "Specification"},
	},
}
