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

var electionBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "Fast Leader Election: a step for each notification that arrives, is handled, or does not come.",
	Covers:  []string{"election"},
	Actions: Actions{&FLEReceiveNotmsg, &FLENotmsgTimeout, &FLEHandleNotmsg, &FLEWaitNewNotmsg, &FLEWaitNewNotmsgEnd},
	Rules:   []modules.Rule[State]{beginElections},
	Budgets: []modules.Budget[State]{modules.Spend[State]("fle_timeouts", &FLENotmsgTimeout)},
}

var discoveryBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "A step for each message.",
	Covers: []string{"discovery"},
	Actions: Actions{&ConnectAndFollowerSendFOLLOWERINFO, &LeaderProcessFOLLOWERINFO, &FollowerProcessLEADERINFO,
		&LeaderProcessACKEPOCH},
	Rules:      []modules.Rule[State]{forgetConnecting, boundEpochs},
	Invariants: phaseAssertions,
}

var electionCoarse = grains.Grain[State]{
	Name:     "coarse",
	Doc:      "Election and Discovery in one step, as MSPEC_2 has them.",
	Covers:   []string{"election", "discovery"},
	From:     []grains.Ref{{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"}},
	Coarsens: true,
	Actions:  Actions{&ElectionAndDiscovery},
	Budgets:  []modules.Budget[State]{modules.Spend[State]("epochs", &ElectionAndDiscovery)},
}

var synchronizationBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "A follower accepts the epoch and the history in one step, as ZkV3_7_0 has it.",
	Covers: []string{"synchronization"},
	Actions: Actions{&LeaderSyncFollower, &FollowerProcessSyncMessage, &FollowerProcessPROPOSALInSync,
		&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADER, &LeaderProcessACKLD, &FollowerProcessUPTODATE},
	Invariants: synchronizationAssertions,
}

var synchronizationFineAtomic = grains.Refine(grains.Grain[State]{
	Name: "fine-atomic",
	Doc:  "A follower accepts the epoch in one step, the history in another, as MSPEC_2 has it.",
	Actions: Actions{&LeaderSyncFollower, &FollowerProcessSyncMessage, &FollowerProcessPROPOSALInSync,
		&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADERUpdateEpoch, &FollowerProcessNEWLEADERLog,
		&LeaderProcessACKLD, &FollowerProcessUPTODATE},
	Invariants: synchronizationAssertions,
}, synchronizationBaseline)

var broadcastBaseline = grains.Grain[State]{
	Name:       "baseline",
	Doc:        "A step for each message.",
	Covers:     []string{"broadcast"},
	Actions:    Actions{&LeaderProcessRequest, &FollowerProcessPROPOSAL, &LeaderProcessACK, &FollowerProcessCOMMIT},
	Invariants: broadcastAssertions,
}

var crashPartition = grains.Grain[State]{
	Name:    "crash-partition",
	Doc:     "A server that loses a connection notices in the same step.",
	Covers:  []string{"faults"},
	Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("crashes", &NodeCrash),
		modules.Spend[State]("partitions", &PartitionStart),
	},
}

var mspec2 = grains.Grain[State]{
	Name:   "mspec-2",
	Doc:    "First step, bounds and variables of the mixed specification.",
	Covers: []string{"bounds"},
	Sets:   []grains.Setting{{Name: "specification", Value: "mspec-2"}},
	Requires: []grains.Ref{{Module: "election", Grain: "coarse"},
		{Module: "synchronization", Grain: "fine-atomic"}},
	Actions:    Actions{&SetInitState},
	Rules:      mspec2Bounds,
	Invariants: mspec2Properties,
}

var zk37 = grains.Grain[State]{
	Name:   "zk-3.7",
	Doc:    "Bounds and variables of the system specification.",
	Covers: []string{"bounds"},
	Sets:   []grains.Setting{{Name: "specification", Value: "zk-3.7"}},
	Requires: []grains.Ref{{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"},
		{Module: "synchronization", Grain: "baseline"}},
	Actions:    Actions{&FilterNonexistentMessage},
	Rules:      zk37Bounds,
	Invariants: zk37Properties,
}
