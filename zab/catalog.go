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
		{Name: "bounds", Doc: "Bounds of published specifications, for comparing counts.", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		{
			Name:   "baseline",
			Doc:    "Fast Leader Election: a step for each notification that arrives, is handled, or does not come.",
			Covers: []string{"election"},
			Actions: Actions{&FLEReceiveNotmsg, &FLENotmsgTimeout, &FLEHandleNotmsg, &FLEWaitNewNotmsg,
				&FLEWaitNewNotmsgEnd},
			Rules:    []modules.Rule[State]{beginElections},
			Budgets:  []modules.Budget[State]{modules.Spend[State]("fle_timeouts", &FLENotmsgTimeout)},
			Requires: []grains.Ref{{Module: "discovery", Grain: "baseline"}},
			Models: []string{
				"org.apache.zookeeper.server.quorum.FastLeaderElection.Messenger.WorkerReceiver.run",
				"org.apache.zookeeper.server.quorum.FastLeaderElection.lookForLeader",
				"org.apache.zookeeper.server.quorum.FastLeaderElection.receivedFollowingNotification",
				"org.apache.zookeeper.server.quorum.FastLeaderElection.receivedLeadingNotification",
				"org.apache.zookeeper.server.quorum.FastLeaderElection.sendNotifications",
				"org.apache.zookeeper.server.quorum.FastLeaderElection.totalOrderPredicate",
				"org.apache.zookeeper.server.quorum.FastLeaderElection.getVoteTracker",
				"org.apache.zookeeper.server.quorum.FastLeaderElection.checkLeader",
				"org.apache.zookeeper.server.quorum.FastLeaderElection.leaveInstance",
				"org.apache.zookeeper.server.quorum.QuorumPeer.updateElectionVote",
				"org.apache.zookeeper.server.quorum.Vote.equals",
			},
		},
		{
			Name:   "baseline",
			Doc:    "A step for each message.",
			Covers: []string{"discovery"},
			Actions: Actions{&ConnectAndFollowerSendFOLLOWERINFO, &LeaderProcessFOLLOWERINFO, &FollowerProcessLEADERINFO,
				&LeaderProcessACKEPOCH},
			Rules:    []modules.Rule[State]{forgetConnecting, boundEpochs},
			Requires: []grains.Ref{{Module: "election", Grain: "baseline"}},
			Models: []string{
				"org.apache.zookeeper.server.quorum.Learner.connectToLeader",
				"org.apache.zookeeper.server.quorum.Learner.registerWithLeader",
				"org.apache.zookeeper.server.quorum.LearnerHandler.run",
				"org.apache.zookeeper.server.quorum.Leader.lead",
				"org.apache.zookeeper.server.quorum.Leader.getEpochToPropose",
				"org.apache.zookeeper.server.quorum.Leader.waitForEpochAck",
				"org.apache.zookeeper.server.quorum.StateSummary.isMoreRecentThan",
			},
		},
		{
			Name:     "coarse",
			Doc:      "Election and Discovery in one step.",
			Covers:   []string{"election", "discovery"},
			From:     []grains.Ref{{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"}},
			Coarsens: true,
			Actions:  Actions{&ElectionAndDiscovery},
			Budgets:  []modules.Budget[State]{modules.Spend[State]("epochs", &ElectionAndDiscovery)},
		},
		{
			Name:   "baseline",
			Doc:    "A follower accepts the epoch and the history in one step.",
			Covers: []string{"synchronization"},
			Actions: Actions{&LeaderSyncFollower, &FollowerProcessSyncMessage, &FollowerProcessPROPOSALInSync,
				&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADER, &LeaderProcessACKLD, &FollowerProcessUPTODATE},
			Invariants: synchronizationAssertions,
		},
		{
			Name:   "fine-atomic",
			Doc:    "A follower accepts the epoch in one step, the history in another.",
			Covers: []string{"synchronization"},
			Actions: Actions{&LeaderSyncFollower, &FollowerProcessSyncMessage, &FollowerProcessPROPOSALInSync,
				&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADERUpdateEpoch, &FollowerProcessNEWLEADERLog,
				&LeaderProcessACKLD, &FollowerProcessUPTODATE},
			Invariants: synchronizationAssertions,
		},
		{
			Name:       "baseline",
			Doc:        "A step for each message.",
			Covers:     []string{"broadcast"},
			Actions:    Actions{&LeaderProcessRequest, &FollowerProcessPROPOSAL, &LeaderProcessACK, &FollowerProcessCOMMIT},
			Invariants: broadcastAssertions,
			Budgets:    []modules.Budget[State]{modules.Spend[State]("requests", &LeaderProcessRequest)},
		},
		{
			Name:    "crash-partition",
			Doc:     "Whoever loses a connection notices in the same step.",
			Covers:  []string{"faults"},
			Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover},
			Budgets: []modules.Budget[State]{
				modules.Spend[State]("crashes", &NodeCrash),
				modules.Spend[State]("partitions", &PartitionStart),
			},
		},
		{
			Name:       "mspec-2",
			Doc:        "First step, bounds and bookkeeping of the published mixed specification.",
			Covers:     []string{"bounds"},
			Actions:    Actions{&SetInitState, &FilterNonexistentMessage},
			Rules:      publishedBounds,
			Invariants: publishedProperties,
		},
		{
			Name:     "zk-3.7",
			Doc:      "Bounds and bookkeeping of the published system specification.",
			Covers:   []string{"bounds"},
			Requires: []grains.Ref{{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"}},
			Actions:  Actions{&FilterNonexistentMessage},
			Rules:    systemBounds,
		},
	},
	Invariants: protocolInvariants,
	Rules:      ghosts,
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the ensemble.", Min: 1, Max: 7, Default: 3, Const: "Servers"},
		{Name: "transactions", Doc: "Transactions in the longest history that requests build.", Min: 0, Max: 8, Default: 2, Const: "MaxTransactions"},
		{Name: "requests", Doc: "Client requests along a behaviour.", Min: 0, Max: 60, Default: 2, Const: "MaxRequests"},
		{Name: "crashes", Doc: "Crashes along a behaviour.", Min: 0, Max: 255, Default: 2},
		{Name: "partitions", Doc: "Partitions along a behaviour.", Min: 0, Max: 255, Default: 2},
		{Name: "fle_timeouts", Doc: "Times that a server hears nothing during elections, along a behaviour.", Min: 0, Max: 255, Default: 1},
		{Name: "notifications", Doc: "Notifications in flight in one direction, or in a server's queue.", Min: 1, Max: 64, Default: 8, Const: "MaxNotifications"},
		{Name: "epochs", Doc: "Epochs along a behaviour.", Min: 1, Max: 60, Default: 5, Const: "MaxEpochs"},
	},
}
