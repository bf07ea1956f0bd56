package sandtable

import "github.com/multigrain/multigrain/modules"

// Number is an epoch or a round.
type Number = int8

// Server is the identity of a server, myid in ZooKeeper, counted from 0. Votes order servers by it.
type Server int8

// NullPoint is no server.
const NullPoint Server = -1

// Set is a set of servers.
type Set = modules.Set[Server]

// Everyone is the ensemble.
const Everyone Set = 1<<Servers - 1

// ServerState is QuorumPeer.ServerState.
type ServerState uint8

// Server states.
const (
	LOOKING ServerState = iota
	FOLLOWING
	LEADING
)

// ZabState is the phase of a server.
type ZabState uint8

// Phases. No server reaches Broadcast.
const (
	ELECTION ZabState = iota
	DISCOVERY
	SYNCHRONIZATION
)

// Contacts is a set of records [sid, connected]: servers that a leader has heard of, and which of
// them it has not lost since.
type Contacts struct{ Sids, Connected Set }

// Elector is a record of electing, keyed by its sid. Waits says that the learner has still to be
// synchronised.
type Elector struct{ Waits, InQuorum bool }

// State holds the variables. Variables of one server are arrays over the servers.
//
// AcceptedEpoch and CurrentEpoch are persistent: they survive a crash. All else is volatile.
type State struct {
	State         [Servers]ServerState
	ZabState      [Servers]ZabState
	AcceptedEpoch [Servers]Number
	CurrentEpoch  [Servers]Number

	// Leaders: the fields of the same names in Leader, empty while a server does not lead.
	// connected servers, with itself
	Learners     [Servers]Set
	Connecting   [Servers]Contacts                                       // senders of FOLLOWERINFO
	Electing     [Servers]modules.Map[Server, Elector, [Servers]Elector] // senders of ACKEPOCH
	TempMaxEpoch [Servers]Number                                         // the epoch to propose

	// Followers.
	LeaderAddr [Servers]Server // leader that is connected to; NullPoint where there is none

	// Election: the fields of the same names in FastLeaderElection; recvset, outofelection and
	// recvqueue there.
	CurrentVote   [Servers]Vote
	LogicalClock  [Servers]Number // the round
	ReceiveVotes  [Servers]Ballots
	OutOfElection [Servers]Ballots
	RecvQueue     [Servers]Notifications
	InElection    [Servers]bool // lookForLeader has begun
	WaitNotmsg    [Servers]bool // a quorum votes as the server does, and it waits for a better vote
	ElectionMsgs  ElectionNet

	// Network and environment.
	Msgs   Net
	Status Set // servers that are online

	// PastVotes are the votes for others that a server has had in its round: historyVotes.
	PastVotes [Servers]modules.Records[Vote, [(MaxEpochs + 1) * Servers]Vote]
}

// The vocabulary, bound to this State.
type (
	Action[P any] = modules.Action[State, P]
	One           = modules.One[Server]
	Pair          = modules.Pair[Server]
)

// Domains of parameters: servers, ordered and unordered pairs of them.
var (
	EachServer = modules.Each[Server](Servers)
	EachPair   = modules.EachPair[Server](Servers)
	EachLink   = modules.Links[Server](Servers)
)

// Init is the initial state: everyone looks for a leader.
func Init(yield func(State) bool) {
	n := State{Status: Everyone}
	for i := range n.LeaderAddr {
		n.LeaderAddr[i] = NullPoint
	}
	yield(n)
}

func (s *State) isOn(i Server) bool       { return s.Status.Has(i) }
func (s *State) isLooking(i Server) bool  { return s.State[i] == LOOKING }
func (s *State) isLeader(i Server) bool   { return s.isOn(i) && s.State[i] == LEADING }
func (s *State) isFollower(i Server) bool { return s.isOn(i) && s.State[i] == FOLLOWING }

// follows reports whether i is a follower that is connected to the leader j.
func (s *State) follows(i, j Server) bool { return s.isFollower(i) && s.LeaderAddr[i] == j }

// leads reports whether i is a leader that is connected to the learner j.
func (s *State) leads(i, j Server) bool { return s.isLeader(i) && s.Learners[i].Has(j) }
