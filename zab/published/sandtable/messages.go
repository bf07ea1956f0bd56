package sandtable

import "github.com/multigrain/multigrain/modules"

// Kind is the type of a message of Discovery.
type Kind uint8

// Kinds of messages.
const (
	NoKind Kind = iota
	FOLLOWERINFO
	LEADERINFO
	ACKEPOCH
)

// Msg is a message of Discovery.
type Msg struct {
	Kind  Kind
	Epoch Number // accepted, or proposed
	Data  Number // mepoch of ACKEPOCH, the sender's current epoch: -1 if it does not count
}

// Queue holds the messages in flight from one server to another, and Net those between all servers.
// TCP: in order, lost when the connection breaks.
type (
	Queue = modules.Channel[Msg, [MaxChannel]Msg]
	Net   = modules.Net[Server, Kind, Msg, [MaxChannel]Msg, [Servers]Queue, [Servers][Servers]Queue]
)

// Vote is a server's proposal for leader. Zxids are all zero: see doc.go.
type Vote struct {
	Leader Server
	Epoch  Number // peerEpoch: the leader's CurrentEpoch
}

// Ballot is a vote as another server records it, in recvset and outofelection.
type Ballot struct {
	Vote  Vote
	Round Number      // electionEpoch: the sender's LogicalClock
	State ServerState // the sender's
}

// Ballots are the votes that a server has recorded, by their senders.
type Ballots = modules.Map[Server, Ballot, [Servers]Ballot]

// NotificationKind is the type of a message of Fast Leader Election.
type NotificationKind uint8

// NOTIFICATION is the only one.
const NOTIFICATION NotificationKind = 0

// Notification is FastLeaderElection.Notification, and ToSend where it is sent.
type Notification struct {
	Kind   NotificationKind
	Source Server
	State  ServerState
	Round  Number
	Vote   Vote
}

// Notifications is recvqueue.
type Notifications = modules.Seq[Notification, [MaxQueued]Notification]

// ElectionQueue holds the notifications in flight from one server to another, and ElectionNet those
// between all servers.
type (
	ElectionQueue = modules.Channel[Notification, [MaxNotifications]Notification]
	ElectionNet   = modules.Net[Server, NotificationKind, Notification, [MaxNotifications]Notification,
		[Servers]ElectionQueue, [Servers][Servers]ElectionQueue]
)

// ignoresEpochs: identities are compared where zxids are equal, whatever the epochs
// (ZOOKEEPER-1419).
const ignoresEpochs = Bug == "zk-1419"

// succeeds reports whether v takes the place of u: FastLeaderElection.totalOrderPredicate (3.4.3).
func (v Vote) succeeds(u Vote) bool {
	return v.Epoch > u.Epoch || (ignoresEpochs || v.Epoch == u.Epoch) && v.Leader > u.Leader
}

// agrees reports whether the recorded ballot b is for the same outcome as c. Of servers that have
// left the election, votes of recvset agree if the leaders are the same, and votes of outofelection
// if the epochs are the same too.
func (b Ballot) agrees(c Ballot, outside bool) bool {
	if b.State != LOOKING && c.State != LOOKING {
		return b.Vote.Leader == c.Vote.Leader && (!outside || b.Vote.Epoch == c.Vote.Epoch)
	}
	return b.Vote == c.Vote && b.Round == c.Round
}

// supporters returns the servers whose recorded ballots agree with c.
func supporters(votes *Ballots, c Ballot, outside bool) Set {
	var set Set
	for i := range Server(Servers) {
		if votes.Has(i) && votes.At(i).agrees(c, outside) {
			set.Add(i)
		}
	}
	return set
}

// record puts the ballot of m's sender into votes.
func record(votes *Ballots, m Notification) {
	votes.Put(m.Source, Ballot{Vote: m.Vote, Round: m.Round, State: m.State})
}
