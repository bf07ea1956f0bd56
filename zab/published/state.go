package published

import (
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// Identities and numbers of package tla.
type (
	Number = tla.Number
	Server = tla.Server
	Set    = tla.Set
)

// Everyone is the ensemble.
const Everyone Set = 1<<Servers - 1

// Packets is packetsSync.
type Packets struct {
	NotCommitted History
	Committed    Zxids
}

// History is a sequence of transactions, and Zxids one of zxids.
type (
	History = modules.Seq[tla.Txn, [MaxHistory]tla.Txn]
	Zxids   = modules.Seq[tla.Zxid, [MaxHistory]tla.Zxid]
)

// Queue holds the messages in flight from one server to another, and Net those between all
// servers: msgs of the system specification, rcvBuffer of MSPEC_2.
type (
	Queue = modules.Channel[tla.Msg, [MaxChannel]tla.Msg]
	Net   = modules.Net[Server, tla.Kind, tla.Msg, [MaxChannel]tla.Msg, [Servers]Queue, [Servers][Servers]Queue]
)

// Ballots are the votes that a server has recorded, by their senders.
type Ballots = modules.Map[Server, tla.Ballot, [Servers]tla.Ballot]

// Notifications is recvQueue.
type Notifications = modules.Seq[tla.Notification, [MaxQueued]tla.Notification]

// ElectionQueue holds the notifications in flight from one server to another, and ElectionNet those
// between all of them: electionMsgs.
type (
	ElectionQueue = modules.Channel[tla.Notification, [MaxNotifications]tla.Notification]
	ElectionNet   = modules.Net[Server, tla.NotificationKind, tla.Notification, [MaxNotifications]tla.Notification,
		[Servers]ElectionQueue, [ElectionSlots][Servers]ElectionQueue]
)

// State holds the variables, spelled as published. Variables of one server are arrays over the
// servers.
type State struct {
	// serverVars
	State         [Servers]tla.ServerState
	ZabState      [Servers]tla.ZabState
	ServingState  [Servers]tla.ServingState
	AcceptedEpoch [Servers]Number
	CurrentEpoch  [Servers]Number
	History       [Servers]History
	LastCommitted [Servers]Number // lastCommitted.index; its zxid is that of the position
	LastProcessed [Servers]Number // lastProcessed.index
	// InitialHistory is the length of initialHistory: it is a prefix of History with other marks.
	InitialHistory [Servers]Number
	AckSid         [Servers][MaxHistory]Set      // by position in History: its ackSid
	TxnEpoch       [Servers][MaxHistory]Number   // by position in History: its epoch
	InitialMarks   [Servers][MaxHistory]tla.Mark // by position in initialHistory

	// leaderVars
	Learners     [Servers]Set
	Connecting   [Servers]tla.Contacts
	Electing     [Servers]modules.Map[Server, tla.Elector, [Servers]tla.Elector]
	AckldRecv    [Servers]tla.Contacts
	Forwarding   [Servers]Set
	TempMaxEpoch [Servers]Number

	// followerVars
	LeaderAddr  [Servers]Server // connectInfo.sid
	ConnectInfo [Servers]tla.ConnectInfo
	PacketsSync [Servers]Packets

	// electionVars of FastLeaderElection
	CurrentVote    [ElectionSlots]tla.Vote
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
	LastSnapshot [SystemSlots]tla.Position
	Partition    [SystemSlots]Set                           // broken links; symmetric
	Left         [SystemSlots]Packets                       // packetsSync of those that left
	LeftEpoch    [SystemSlots]Number                        // the epoch of the transactions in Left
	Snapshots    [SystemSlots][Servers][MaxHistory]tla.Mark // by position: marks in SNAP

	// verifyVars
	EpochLeader     [MaxEpochs]Set // by epoch, from 1
	ProposalMsgsLog modules.Records[tla.Proposal, [MaxProposals]tla.Proposal]
	CommittedLog    modules.Seq[tla.Committed, [MaxHistory]tla.Committed]
	LeaderOracle    Server
	DoInit          bool

	// recorder, with its counters, and noExecute.
	NTimeout, NTransaction, NPartition, MaxEpoch uint8
	NCrash, NConsequentFailure, NClientRequest   uint8
	NoStart, NoCrash                             Set          // servers that may not start, crash
	NoRecover, NoCut                             [Servers]Set // links that may not heal, break

	// Raised holds the assertions that the last step raised: violatedInvariants.
	Raised modules.Raised[tla.Assertion]
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
	n := State{Status: Everyone, LeaderOracle: tla.NullPoint}
	for i := range n.LeaderAddr {
		n.LeaderAddr[i] = tla.NullPoint
	}
	n.initElection()
	yield(n)
}

func (s *State) isOn(i Server) bool       { return s.Status.Has(i) }
func (s *State) isLooking(i Server) bool  { return s.State[i] == tla.LOOKING }
func (s *State) isLeader(i Server) bool   { return s.isOn(i) && s.State[i] == tla.LEADING }
func (s *State) isFollower(i Server) bool { return s.isOn(i) && s.State[i] == tla.FOLLOWING }

// follows reports whether i is a follower that is connected to the leader j. TLA+: IsMyLeader.
func (s *State) follows(i, j Server) bool { return s.isFollower(i) && s.LeaderAddr[i] == j }

// leads reports whether i is a leader that is connected to the learner j. TLA+: IsMyLearner.
func (s *State) leads(i, j Server) bool { return s.isLeader(i) && s.Learners[i].Has(j) }

// lastZxid returns the zxid of i's last transaction. TLA+: LastZxidOfHistory.
func (s *State) lastZxid(i Server) tla.Zxid { return s.History[i].Last().Zxid }

// lastProcessedZxid returns the zxid of the last transaction that i applied: lastProcessed.zxid.
func (s *State) lastProcessedZxid(i Server) tla.Zxid {
	return zxidAt(&s.History[i], int(s.LastProcessed[i]))
}

// broadcast sends m to the servers of a set, but not to i itself. TLA+: Broadcast.
func (n *State) broadcast(i Server, to Set, m tla.Msg) {
	for k := range Server(Servers) {
		if k != i && to.Has(k) {
			n.Msgs.Send(i, k, m)
		}
	}
}

// receivedLen returns the number of transactions that follower i has, those held back included.
func (s *State) receivedLen(i Server) int {
	return s.History[i].Len() + s.PacketsSync[i].NotCommitted.Len()
}

// received returns the k-th transaction that follower i has, from 1, those held back included.
func (s *State) received(i Server, k int) tla.Txn {
	if have := s.History[i].Len(); k > have {
		return s.PacketsSync[i].NotCommitted.At(k - have)
	}
	return s.History[i].At(k)
}

// lastQueued returns the zxid of the last transaction that follower i has. TLA+: LastQueued.
func (s *State) lastQueued(i Server) tla.Zxid {
	if k := s.receivedLen(i); k > 0 {
		return s.received(i, k).Zxid
	}
	return tla.Zxid{}
}

// receivedPosition finds a zxid among the transactions that follower i has.
func (s *State) receivedPosition(i Server, z tla.Zxid) int {
	have := s.receivedLen(i)
	for k := 1; k <= have; k++ {
		if s.received(i, k).Zxid == z {
			return k
		}
	}
	return have + 1
}

// committedByLeader is committed of a leader.
func (s *State) committedByLeader(i Server) int {
	if s.ZabState[i] == tla.BROADCAST {
		return int(s.LastCommitted[i])
	}
	return int(s.InitialHistory[i])
}

// committed returns the position of the last transaction that i takes for committed. TLA+:
// LastCommitted.
func (s *State) committed(i Server) int {
	switch {
	case s.ZabState[i] == tla.BROADCAST || s.isLooking(i):
		return int(s.LastCommitted[i])
	case s.State[i] == tla.FOLLOWING && !s.PacketsSync[i].Committed.Empty():
		return s.receivedPosition(i, s.PacketsSync[i].Committed.Last())
	case commitsAtOnce && s.State[i] == tla.FOLLOWING:
		return int(max(s.InitialHistory[i], s.LastCommitted[i]))
	}
	return int(s.InitialHistory[i])
}

// zxidAt returns the zxid at a position of a history; that of position 0 is zero.
func zxidAt(h *History, k int) tla.Zxid {
	if k == 0 {
		return tla.Zxid{}
	}
	return h.At(k).Zxid
}

// zxidToIndex returns the position of a zxid in a history: 0 for the zero zxid, Len+1 if the
// history lacks it.
//
// Deviation: the published operator is -1 for a zxid that occurs twice. I-13 is broken before that.
func zxidToIndex(h *History, z tla.Zxid) int {
	if z == (tla.Zxid{}) {
		return 0
	}
	for k := 1; k <= h.Len(); k++ {
		if h.At(k).Zxid == z {
			return k
		}
	}
	return h.Len() + 1
}
