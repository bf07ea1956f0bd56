package published

import "github.com/multigrain/multigrain/modules"

// Number is an epoch, a counter, a value or a position.
type Number = int8

// Server is the identity of a server, counted from 0. Votes order servers by it.
type Server int8

// NullPoint is no server.
const NullPoint Server = -1

// Set is a set of servers.
type Set = modules.Set[Server]

// Everyone is the ensemble.
const Everyone Set = 1<<Servers - 1

// ServerState is a value of state.
type ServerState uint8

// Values of state.
const (
	LOOKING ServerState = iota
	FOLLOWING
	LEADING
)

// ZabState is a value of zabState.
type ZabState uint8

// Values of zabState.
const (
	ELECTION ZabState = iota
	DISCOVERY
	SYNCHRONIZATION
	BROADCAST
)

// ServingState is a value of servingState, a variable of MSPEC_2 only.
type ServingState uint8

// Values of servingState.
const (
	SHUTDOWN ServingState = iota
	INITIAL
	RUNNING
)

// Zxid is a published zxid <<epoch, counter>>. Counter 0 belongs to NEWLEADER.
type Zxid struct{ Epoch, Counter Number }

// Txn is a transaction in a history without ackSid and epoch, which AckSid and TxnEpoch hold.
type Txn struct {
	Zxid  Zxid
	Value Number
}

// Mark is what a published transaction has in addition to zxid and value.
type Mark struct {
	AckSid Set
	Epoch  Number
}

// Committed is a transaction in committedLog.
type Committed struct {
	Txn  Txn
	Mark Mark
}

// Proposal is a record of proposalMsgsLog.
type Proposal struct {
	Source Server
	Epoch  Number
	Txn    Txn
}

// Position is a published [index, zxid].
type Position struct {
	Index Number
	Zxid  Zxid
}

// Contacts is a set of records [sid, connected].
type Contacts struct{ Sids, Connected Set }

// Elector is a record of electing, keyed by its sid.
type Elector struct {
	PeerLastZxid Zxid
	InQuorum     bool
}

// Synced is the PeerLastZxid of a learner that the leader has synchronised: <<-1, -1>>.
func Synced() Zxid { return Zxid{-1, -1} }

// ConnectInfo is connectInfo without its sid, which LeaderAddr holds.
type ConnectInfo struct {
	SyncMode Kind // DIFF, TRUNC or SNAP after that message; always NoKind in MSPEC_2
	NlRcv    bool // NEWLEADER has been processed
}

// Packets is packetsSync.
type Packets struct {
	NotCommitted History
	Committed    Zxids
}

// History is a sequence of transactions, and Zxids one of zxids.
type (
	History = modules.Seq[Txn, [MaxHistory]Txn]
	Zxids   = modules.Seq[Zxid, [MaxHistory]Zxid]
)

// State holds the variables, spelled as published. Variables of one server are arrays over the
// servers.
type State struct {
	// serverVars
	State         [Servers]ServerState
	ZabState      [Servers]ZabState
	ServingState  [Servers]ServingState
	AcceptedEpoch [Servers]Number
	CurrentEpoch  [Servers]Number
	History       [Servers]History
	LastCommitted [Servers]Number // lastCommitted.index; its zxid is that of the position
	LastProcessed [Servers]Number // lastProcessed.index
	// InitialHistory is the length of initialHistory: it is a prefix of History with other marks.
	InitialHistory [Servers]Number
	AckSid         [Servers][MaxHistory]Set    // by position in History: ackSid of the transaction
	TxnEpoch       [Servers][MaxHistory]Number // by position in History: its epoch
	InitialMarks   [Servers][MaxHistory]Mark   // by position in initialHistory

	// leaderVars
	Learners     [Servers]Set
	Connecting   [Servers]Contacts
	Electing     [Servers]modules.Map[Server, Elector, [Servers]Elector]
	AckldRecv    [Servers]Contacts
	Forwarding   [Servers]Set
	TempMaxEpoch [Servers]Number

	// followerVars
	LeaderAddr  [Servers]Server // connectInfo.sid
	ConnectInfo [Servers]ConnectInfo
	PacketsSync [Servers]Packets

	// electionVars of FastLeaderElection
	CurrentVote    [ElectionSlots]Vote
	LogicalClock   [ElectionSlots]Number
	ReceiveVotes   [ElectionSlots]Ballots
	OutOfElection  [ElectionSlots]Ballots
	RecvQueue      [ElectionSlots]Notifications
	WaitNotmsg     [ElectionSlots]bool
	LeadingVoteSet [ElectionSlots]Set
	ElectionMsgs   ElectionNet

	// netVars and envVars
	Msgs   Net
	Status Set // servers that are online

	// Variables that only the system specification has.
	LastSnapshot [SystemSlots]Position
	Partition    [SystemSlots]Set                       // links that are cut; symmetric
	Left         [SystemSlots]Packets                   // packetsSync of servers that have left their leader
	LeftEpoch    [SystemSlots]Number                    // the epoch of the transactions in Left
	Snapshots    [SystemSlots][Servers][MaxHistory]Mark // by position: marks in the SNAP in flight

	// verifyVars
	EpochLeader     [MaxEpochs]Set // by epoch, from 1
	ProposalMsgsLog modules.Records[Proposal, [MaxProposals]Proposal]
	CommittedLog    modules.Seq[Committed, [MaxHistory]Committed]
	LeaderOracle    Server
	DoInit          bool

	// recorder, with its counters, and noExecute.
	NTimeout, NTransaction, NPartition, MaxEpoch uint8
	NCrash, NConsequentFailure, NClientRequest   uint8
	NoStart, NoCrash                             Set          // servers that may not be started, crashed
	NoRecover, NoCut                             [Servers]Set // links that may not be healed, cut; symmetric

	// Raised holds the assertions that the last step raised: violatedInvariants.
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
	n := State{Status: Everyone, LeaderOracle: NullPoint}
	for i := range n.LeaderAddr {
		n.LeaderAddr[i] = NullPoint
	}
	n.initElection()
	yield(n)
}
