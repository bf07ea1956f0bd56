package protocol

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]

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
		electionBaseline, discoveryBaseline,
		synchronizationAtomic, synchronizationHistoryFirst, synchronizationEpochFirst,
		broadcastBaseline,
		faultsTimeoutRestart,
		boundsLimits, boundsPublished,
		ghostsEstablished,
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
