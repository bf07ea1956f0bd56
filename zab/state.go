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
// NEWLEADER. Only grain leader-threads of Synchronization has it.
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

// Compare orders zxids by epoch, then counter: negative where z comes before y, 0 where they are
// equal.
func (z Zxid) Compare(y Zxid) int {
	if z.Epoch != y.Epoch {
		return int(z.Epoch) - int(y.Epoch)
	}
	return int(z.Counter) - int(y.Counter)
}

// After reports whether z is greater than y.
func (z Zxid) After(y Zxid) bool { return z.Compare(y) > 0 }

// Follows reports whether a proposal z may come directly after y: the next of the epoch, or the
// first of a later one. The zxid of an epoch has counter 0.
func (z Zxid) Follows(y Zxid) bool {
	if z.Counter == 1 && y.Epoch < z.Epoch {
		return true
	}
	return z.Counter > 0 && z.Epoch == y.Epoch && z.Counter == y.Counter+1
}

// epochZxid returns the zxid of NEWLEADER.
func epochZxid(epoch Number) Zxid { return Zxid{epoch, 0} }

// later returns the greater of two zxids.
func later(a, b Zxid) Zxid {
	if a.After(b) {
		return a
	}
	return b
}

// zxidAt returns the zxid at a position of a history; that of position 0 is zero.
func zxidAt(h *History, k int) Zxid {
	if k == 0 {
		return Zxid{}
	}
	return h.At(k).Zxid
}

func (s *State) isOn(i Server) bool { return s.Status.Has(i) }

func (s *State) isLooking(i Server) bool { return s.State[i] == LOOKING }

func (s *State) isLeader(i Server) bool { return s.isOn(i) && s.State[i] == LEADING }

func (s *State) isFollower(i Server) bool { return s.isOn(i) && s.State[i] == FOLLOWING }

// follows reports whether i is a follower that is connected to the leader j.
func (s *State) follows(i, j Server) bool { return s.isFollower(i) && s.LeaderAddr[i] == j }

// leads reports whether i is a leader that is connected to the learner j.
func (s *State) leads(i, j Server) bool { return s.isLeader(i) && s.Learners[i].Has(j) }

// atOrBefore returns the last of the first n positions of a history, whose zxids increase, with a
// zxid that is not greater than z; 0 where there is none. It examines the end first: what is far
// back may be folded away.
func atOrBefore(h *History, n int, z Zxid) int {
	low, step := n, 1 // z is not at low+step or after it
	for low > 0 && h.At(low).Zxid.After(z) {
		low = max(low-step, 0)
		step *= 2
	}
	high := min(low+step, n)
	for low < high {
		if mid := (low + high + 1) / 2; h.At(mid).Zxid.After(z) {
			high = mid - 1
		} else {
			low = mid
		}
	}
	return low
}

// lastZxid returns the zxid of i's last transaction.
func (s *State) lastZxid(i Server) Zxid {
	if disksApart && int(s.LastProcessed[i]) == s.History[i].Len() {
		return s.memoryZxid(i)
	}
	return s.History[i].Last().Zxid
}

// atLeastAsRecent reports whether i wins an election against j: by epoch, last zxid, then identity.
// TLA+: TotalOrderPredicate. ZooKeeper: FastLeaderElection.totalOrderPredicate.
func (s *State) atLeastAsRecent(i, j Server) bool {
	if s.CurrentEpoch[i] != s.CurrentEpoch[j] {
		return s.CurrentEpoch[i] > s.CurrentEpoch[j]
	}
	if c := s.memoryZxid(i).Compare(s.memoryZxid(j)); c != 0 {
		return c > 0
	}
	return i > j
}

// committedByLeader returns the position of the last transaction that leader i considers committed.
// TLA+: LastCommitted.
func (s *State) committedByLeader(i Server) int {
	if s.ZabState[i] == BROADCAST {
		return int(s.LastCommitted[i])
	}
	return int(s.InitialHistory[i])
}

// lastProcessedZxid returns the zxid of the last transaction that i applied.
//
// Deviation: it is the last transaction's also where a server has led and made none. In ZooKeeper
// it is then the beginning of that epoch, as with option epoch_zxids. That hides a vote and an
// ACKEPOCH with this zxid, and a SNAP instead of an empty DIFF or of TRUNC. Next to a running
// server the former is there: see noteServing.
func (s *State) lastProcessedZxid(i Server) Zxid { return s.memoryZxid(i) }

// In the grains node, which also run next to a server, memory and disk are a Disk as
// elsewhere, and the steps of disk_memory.go change them. Three things no message shows: which
// transactions committedLog has, which ones a snapshot has, and where the log begins. So
// Disk.Committed is empty. The log has all that a start would read, in the order of zxids, and
// Disk.Snapshot has only its last zxid, where that is not a transaction's. Kept says where
// committedLog surely begins, and Holes before which position a snapshot can have more than the log
// here.
//
// Since Disk.Log begins where History does, and has its transactions at the same positions, or a
// few later, it is folded away together with History: see Runtime.Committed.
//
// Deviation: every committedLog and every snapshot that agrees with the messages is accepted. That
// hides an alarm where a later message would contradict those that the server had.
//
// Deviation: TRUNC leaves nothing after its zxid if only a snapshot has that zxid. ZooKeeper keeps
// the next record, or the snapshot: configs/zab/bugs/truncate-keeps-record.hcl and zk-4837.hcl. It
// hides these, so a server that leads with such a transaction raises an alarm.

// NodeState holds the variables of a server that only the grains node have. They also run
// next to a server. Each belongs to the server itself, and all except Holes are volatile.
type NodeState struct {
	// All servers.
	Kept Number // position from which on what is committed has stayed in memory
	// position before which something may be missing that a snapshot held
	Holes Number
	// QuorumPeer.syncMode is SNAP: a snapshot came, and no NEWLEADER, DIFF or TRUNC since. Each
	// shutdown of the server as a follower empties its memory then.
	Snapped bool
	// a shutdown may have read the log, and no message has depended on how much that was: see
	// NodeBringsUpMemory
	Reads bool

	// Followers.
	// what the snapshot in flight to it holds, where all servers are explored
	Snapshot [InFlight]History
	Unheard  bool // the connection is breaking: what the server sends reaches not even the tap
	// the epoch of a LEADERINFO that is not answered yet; 0: none
	Offered Number

	// Leaders, with learners as indices.
	Announced, UpToDate Set              // learners to which NEWLEADER, UPTODATE was sent
	Opening             [Servers]Kind    // DIFF or TRUNC that is decided on and not on the wire
	Backlogs            [Servers]Backlog // what has still to be sent
	// what a snapshot may say that was read before the leader served
	Early Early
	Taken Number // requests that no other server has heard of
	Shown Number // transactions that a COMMIT of it shows to be committed

	// All servers: what no message shows of the log.
	Open OpenEnd
}

// Backlog lists what a leader still has to send to a learner to which it forwards: transactions
// after position Sent, and commits after Committed. Those up to Upto come before NEWLEADER.
// Epoch is that of a TRUNC which is decided on and names no transaction.
type Backlog struct{ Sent, Committed, Upto, Epoch Number }

// Early are the learners that a leader could begin to synchronise before it served, and has not
// begun with, and the zxid that it had applied then.
type Early struct {
	Learners Set
	Zxid     Zxid
}
