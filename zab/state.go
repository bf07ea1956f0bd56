package zab

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a server, myid in ZooKeeper, counted from 0. Votes order servers by it.
type Server int8

// NullPoint is no server.
const NullPoint Server = -1

// Set is a set of servers.
type Set = modules.Set[Server]

// Everyone is the ensemble.
const Everyone Set = 1<<Servers - 1

// ServerState is a server's role in its own view: QuorumPeer.ServerState.
type ServerState uint8

// Server states.
const (
	LOOKING ServerState = iota
	FOLLOWING
	LEADING
)

// ZabState is the phase of a server: QuorumPeer.ZabState.
type ZabState uint8

// Phases.
const (
	ELECTION ZabState = iota
	DISCOVERY
	SYNCHRONIZATION
	BROADCAST
)

// ServingState is how far a server's request processors have come: ZooKeeperServer.State.
type ServingState uint8

// Serving states: the processors do not run, they log (startupWithoutServing), they log and serve.
const (
	SHUTDOWN ServingState = iota
	INITIAL
	RUNNING
)

// Zxid identifies a transaction: the epoch of the leader that proposed it and a counter. Counter 0
// belongs to NEWLEADER.
type Zxid struct{ Epoch, Counter Number }

// Txn is a transaction in a history: two are the same if zxid and value are.
type Txn struct {
	Zxid  Zxid
	Value Number
}

// Contacts is a set of records [sid, connected]: servers that a leader has heard of, and which of
// them it has not lost since.
type Contacts struct{ Sids, Connected Set }

// Elector is a record of electing, keyed by its sid: the last zxid of a learner, Synced after
// LeaderSyncFollower, and whether its ACKEPOCH counts.
type Elector struct {
	PeerLastZxid Zxid
	InQuorum     bool
}

// Synced returns the PeerLastZxid of a learner that need not be synchronised (again).
func Synced() Zxid { return Zxid{-1, -1} }

// Opened returns the PeerLastZxid of a learner to which the leader forwards, and has still to send
// NEWLEADER. Only grain fine-leader of Synchronization has it.
func Opened() Zxid { return Zxid{-1, -2} }

// ConnectInfo is a follower's view of its connection: connectInfo in the system specification.
type ConnectInfo struct {
	// DIFF, TRUNC or SNAP after that message, NEWLEADER once something is written for it
	SyncMode Kind
	NlRcv    bool // NEWLEADER has been processed: what follows goes to the log
}

// Packets holds the packets that a follower postpones during Synchronization: packetsNotCommitted
// and packetsCommitted in Learner.syncWithLeader.
type Packets struct {
	NotCommitted Requests
	Committed    Zxids
}

// State holds the variables, spelled as published. Variables of one server are arrays over the
// servers.
//
// Persistent are AcceptedEpoch, CurrentEpoch and History: they survive a crash. All else is
// volatile.
type State struct {
	// All servers.
	State         [Servers]ServerState
	ZabState      [Servers]ZabState
	ServingState  [Servers]ServingState
	AcceptedEpoch [Servers]Number // f.p in the paper: epoch of the last LEADERINFO accepted
	CurrentEpoch  [Servers]Number // f.a in the paper: epoch of the last NEWLEADER accepted
	History       [Servers]History
	// Positions in History of the last transaction that is known to be committed, that was applied,
	// and that the server had when the epoch began. TLA+: the index of lastCommitted and
	// lastProcessed, the length of initialHistory.
	LastCommitted  [Servers]Number
	LastProcessed  [Servers]Number
	InitialHistory [Servers]Number

	// Leaders: the fields of the same names in Leader, empty while a server does not lead.
	// connected servers, with itself
	Learners [Servers]Set
	// electingFollowers: senders of ACKEPOCH
	Electing [Servers]modules.Map[Server, Elector, [Servers]Elector]
	// newLeaderProposal: senders of ACKLD
	AckldRecv [Servers]Contacts
	// forwardingFollowers: they get proposals
	Forwarding [Servers]Set
	// by ackSlot of the position in History: outstandingProposals[zxid].ackset
	AckSid [Servers][MaxOutstanding]Set

	// Followers: the fields of the same names in Learner.
	// leader that is connected to, connectInfo.sid; NullPoint where there is none
	LeaderAddr  [Servers]Server
	ConnectInfo [Servers]ConnectInfo
	PacketsSync [Servers]Packets

	// Threads of followers.
	QueuedRequests [ThreadSlots]Requests // SyncRequestProcessor.queuedRequests: to be logged
	// the same of a SyncRequestProcessor that a shutdown has left running
	LeftRequests [ThreadSlots]Requests
	// FollowerZooKeeperServer.pendingTxns: handed over to be logged, not yet to be applied
	PendingTxns       [ThreadSlots]Zxids
	CommittedRequests [ThreadSlots]Zxids // CommitProcessor.committedRequests: to be applied

	// Threads of leaders. Unlogged counts the last transactions of History that the leader's
	// SyncRequestProcessor has still to log; a server that does not lead has none.
	Unlogged [LeaderThreadSlots]Number

	// Logs on disk, with bugs of earlier versions: see earlier.go.
	Logs [LogSlots][Servers]Log

	// Logs and snapshots on disk, with option disk = "apart": see disk.go.
	Disks [DiskSlots]Disk
	// What of it is not forced to disk, with a grain of Faults in which servers lose power: see
	// faults_power.go.
	Unforced [PowerSlots]Unforced

	// Discovery, of leaders.
	Connecting   [DiscoverySlots]Contacts // connectingFollowers: senders of FOLLOWERINFO
	TempMaxEpoch [DiscoverySlots]Number   // Leader.epoch: the epoch to propose

	// Election: the fields of the same names in FastLeaderElection; recvset, outofelection and
	// recvqueue there.
	CurrentVote   [VotedSlots]Vote
	LogicalClock  [ElectionSlots]Number // the round
	ReceiveVotes  [ElectionSlots]Ballots
	OutOfElection [ElectionSlots]Ballots
	RecvQueue     [ElectionSlots]Notifications
	InElection    [ElectionSlots]bool // lookForLeader has begun
	// a quorum votes as the server does, and it waits for something better
	WaitNotmsg   [ElectionSlots]bool
	ElectionMsgs ElectionNet

	// Network and environment.
	Msgs          Net
	Status        Set   // servers that are online
	ClientRequest Count // client requests so far: makes their values different

	// Ghost variables: the invariants read them, no action does.
	// by epoch, from 1: the servers that led it
	EpochLeader [MaxEpochs]Set
	// by epoch, from 1: the history with which its leader began, I_e in the paper
	EpochHistory [MaxEpochs]History
	// by epoch, from 1: a quorum has acknowledged NEWLEADER
	Established     [MaxEpochs]bool
	ProposalMsgsLog modules.Records[Txn, [MaxProposals]Txn] // transactions that were broadcast
	// the longest sequence that any process has ever delivered
	CommittedLog History

	// What only the grains node have, and what runs next to a server: see Runtime. Voters has
	// a capacity of its own, since coarse grains of Election do without it.
	Beside [NodeSlots]NodeState
	Voters [VoterSlots]Voter

	// Raised holds the assertions that the last step raised.
	Raised modules.Raised[Assertion]
}

// The vocabulary, bound to this State.
type (
	Action[P any] = modules.Action[State, P]
	One           = modules.One[Server]
	Pair          = modules.Pair[Server]
	Party         = modules.Party[Server]
	None          = modules.None
)

// Domains of parameters: servers, ordered and unordered pairs of them, a server with a quorum that
// it is in.
var (
	EachServer = modules.Each[Server](Servers)
	EachPair   = modules.EachPair[Server](Servers)
	EachLink   = modules.Links[Server](Servers)
	EachQuorum = modules.Quorums[Server](Servers)
)

// Init is the initial state: everyone looks for a leader, nobody has any history.
func Init(yield func(State) bool) {
	s := State{Status: Everyone}
	for i := range s.LeaderAddr {
		s.LeaderAddr[i] = NullPoint
	}
	yield(s)
}

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]
