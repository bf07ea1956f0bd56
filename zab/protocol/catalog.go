package protocol

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog of the protocol on paper.
var System = grains.System[State]{
	Name: "zab-protocol",
	Doc:  "the pen-and-paper Zab protocol with a leader oracle",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "phase 0: an oracle names a leader"},
		{Name: "discovery", Doc: "phase 1: a leader finds a new epoch and the newest history of a quorum"},
		{Name: "synchronization", Doc: "phase 2: a quorum takes over epoch and history"},
		{Name: "broadcast", Doc: "phase 3: transactions are proposed, acknowledged and committed"},
		{Name: "faults", Doc: "broken connections and restarts", Environment: true},
		{Name: "bounds", Doc: "how far the model goes", Environment: true},
		{Name: "ghosts", Doc: "ghost variables that Zab.tla does not have, and the invariants that need them", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		{
			Name:    "baseline",
			Doc:     "the oracle names any server that looks for a leader, at any time",
			Covers:  []string{"election"},
			Actions: []modules.AnyAction[State]{&UpdateLeader, &FollowLeader},
		},
		{
			Name:   "baseline",
			Doc:    "every message is a step",
			Covers: []string{"discovery"},
			Actions: []modules.AnyAction[State]{
				&ConnectAndFollowerSendCEPOCH, &LeaderProcessCEPOCH, &FollowerProcessNEWEPOCH, &LeaderProcessACKEPOCH,
			},
		},
		{
			Name:    "atomic",
			Doc:     "a follower takes over epoch and history in one step, as the protocol asks",
			Covers:  []string{"synchronization"},
			Actions: []modules.AnyAction[State]{&FollowerProcessNEWLEADER, &LeaderProcessACKLD, &FollowerProcessCOMMITLD},
		},
		{
			Name:    "history-first",
			Doc:     "a follower takes over the history and then the epoch, as the improved protocol asks",
			Covers:  []string{"synchronization"},
			From:    []grains.Ref{{Module: "synchronization", Grain: "atomic"}},
			Refines: true,
			Actions: []modules.AnyAction[State]{
				&FollowerUpdateHistory, &FollowerUpdateEpoch, &LeaderProcessACKLD, &FollowerProcessCOMMITLD,
			},
		},
		{
			Name:    "epoch-first",
			Doc:     "a follower takes over the epoch and then the history, which is wrong",
			Covers:  []string{"synchronization"},
			From:    []grains.Ref{{Module: "synchronization", Grain: "atomic"}},
			Refines: true,
			Actions: []modules.AnyAction[State]{
				&FollowerUpdateEpochFirst, &FollowerUpdateHistoryLast, &LeaderProcessACKLD, &FollowerProcessCOMMITLD,
			},
		},
		{
			Name:   "baseline",
			Doc:    "every message is a step; a request is taken before it is proposed",
			Covers: []string{"broadcast"},
			Actions: []modules.AnyAction[State]{
				&LeaderProcessRequest, &LeaderBroadcastPROPOSE, &FollowerProcessPROPOSE, &LeaderProcessACK, &FollowerProcessCOMMIT,
			},
		},
		{
			Name:    "timeout-restart",
			Doc:     "a connection breaks at both ends in one step; a server crashes and starts again in one step",
			Covers:  []string{"faults"},
			Actions: []modules.AnyAction[State]{&Timeout, &Restart},
		},
		{
			Name:   "limits",
			Doc:    "budgets of time-outs and restarts, and limits of requests and epochs",
			Covers: []string{"bounds"},
			Rules: []modules.Rule[State]{
				modules.When(&LeaderProcessRequest, withinRequests),
				modules.When(&LeaderProcessCEPOCH, withinEpochs),
			},
			Budgets: []modules.Budget[State]{
				modules.Spend[State]("timeouts", &Timeout),
				modules.Spend[State]("restarts", &Restart),
			},
		},
		{
			Name:   "published",
			Doc:    "the bounds of Zab.tla, for counts that can be held against its own",
			Covers: []string{"bounds"},
			Rules: []modules.Rule[State]{
				modules.When(&Timeout, publishedTimeout), modules.After(&Timeout, recordTimeout),
				modules.When(&Restart, publishedRestart), modules.After(&Restart, recordRestart),
				modules.When(&LeaderProcessRequest, publishedRequest), modules.After(&LeaderProcessRequest, recordRequest),
				modules.When(&LeaderProcessCEPOCH, publishedEpoch),
			},
			Budgets: []modules.Budget[State]{modules.Spend[State]("restarts", &Restart)},
		},
		{
			Name:   "established",
			Doc:    "who has accepted NEWLEADER of which epoch",
			Covers: []string{"ghosts"},
			Rules: []modules.Rule[State]{
				modules.After(&LeaderProcessACKEPOCH, recordLeaderAck),
				modules.After(&FollowerProcessNEWLEADER, recordFollowerAck),
				modules.After(&FollowerUpdateEpoch, recordFollowerAck),
				modules.After(&FollowerUpdateHistoryLast, recordFollowerAck),
			},
			Invariants: []modules.Invariant[State]{
				{ID: "I-8", State: InitialHistoryIntegrity, Doc: "Initial history integrity: the initial history of an established epoch is a prefix of that of every later epoch."},
			},
		},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "I-1", State: PrimaryUniqueness, Doc: "Primary uniqueness: an epoch has at most one established leader."},
		{ID: "I-2", State: Integrity, Doc: "Integrity: what a process delivers, a primary has broadcast."},
		{ID: "I-3", State: Agreement, Doc: "Agreement: of a transaction that one process delivers and one that another delivers, one is delivered by both."},
		{ID: "I-4", State: TotalOrder, Doc: "Total order: if one process delivers a transaction before a second, all that deliver the second deliver the first before it."},
		{ID: "I-5", State: LocalPrimaryOrder, Doc: "Local primary order: processes deliver the transactions of a primary in the order in which it broadcast them, without gaps."},
		{ID: "I-6", State: GlobalPrimaryOrder, Doc: "Global primary order: a process delivers the transactions of an epoch before those of a later one."},
		{ID: "I-7", State: PrimaryIntegrity, Doc: "Primary integrity: before a primary broadcasts, it has delivered all transactions of earlier epochs that any process delivers."},
		{ID: "I-9", State: CommitConsistency, Doc: "Commit consistency: what a process has delivered begins with the initial history of the last epoch that it committed."},
		{ID: "I-10", State: HistoryConsistency, Doc: "History consistency: of the histories of two processes that participate in one epoch, one is a prefix of the other."},
		{ID: "ShouldNotBeTriggered", Instance: "stateInconsistent", Raises: modules.Bit(StateInconsistent), Doc: "A message reaches a server in the phase that it belongs to."},
		{ID: "ShouldNotBeTriggered", Instance: "proposalInconsistent", Raises: modules.Bit(ProposalInconsistent), Doc: "COMMITLD and PROPOSE fit the history of the follower that they reach."},
		{ID: "ShouldNotBeTriggered", Instance: "commitInconsistent", Raises: modules.Bit(CommitInconsistent), Doc: "Transactions are committed in order, by leaders and followers."},
		{ID: "ShouldNotBeTriggered", Instance: "ackInconsistent", Raises: modules.Bit(AckInconsistent), Doc: "ACK is for a transaction that the leader has, and in order."},
		{ID: "ShouldNotBeTriggered", Instance: "messageIllegal", State: MessagesExpected, Doc: "No server gets a message that it has no use for."},
	},
	Rules: []modules.Rule[State]{
		modules.After(&LeaderProcessACKEPOCH, recordPrimary),
		modules.After(&LeaderBroadcastPROPOSE, recordProposal),
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "servers in the ensemble", Min: 1, Max: 7, Default: Servers, Const: "Servers"},
		{Name: "transactions", Doc: "clients' requests; at the grain published the length of the longest history", Min: 0, Max: 30, Default: MaxTransactions, Const: "MaxTransactions"},
		{Name: "epochs", Doc: "the last epoch that a leader may choose", Min: 0, Max: 32, Default: MaxEpochs, Const: "MaxEpochs"},
		{Name: "timeouts", Doc: "connections that break; at the grain published restarts count as such too", Min: 0, Max: 120, Default: MaxTimeoutFailures, Const: "MaxTimeoutFailures"},
		{Name: "restarts", Doc: "restarts of servers", Min: 0, Max: 120, Default: 0},
	},
	Options: []grains.Option{
		{Name: "restarts_need_timeouts", Doc: "at the grain published a restart is forbidden where time-outs are spent: false as in the authors' repository and its counts, true as in ZooKeeper's", Default: "false", Const: "RestartsNeedTimeouts"},
	},
}
