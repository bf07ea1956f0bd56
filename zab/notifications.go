package zab

import "github.com/multigrain/multigrain/modules"

// Vote is a server's proposal for leader: Vote in ZooKeeper without the round, [proposedLeader,
// proposedZxid, proposedEpoch] in the system specification.
type Vote struct {
	Leader Server // NullPoint where there is none
	Zxid   Zxid   // the last transaction in the leader's history
	Epoch  Number // peerEpoch: the leader's CurrentEpoch
}

// Ballot is a vote as another server records it: recvset and outofelection in
// FastLeaderElection.lookForLeader.
type Ballot struct {
	Vote  Vote
	Round Number      // electionEpoch: the sender's LogicalClock
	State ServerState // the sender's
}

// Ballots are the votes that a server has recorded, by their senders.
type Ballots = modules.Map[Server, Ballot, [Servers]Ballot]

// NotificationKind is the type of an element of a receive queue.
type NotificationKind uint8

// NOTIFICATION is a message of Fast Leader Election. Its number is not one of a Kind: next to a
// server the number tells the network that a message is of.
const NOTIFICATION NotificationKind = 64

// Notification is FastLeaderElection.Notification, and ToSend where it is sent.
type Notification struct {
	Kind   NotificationKind
	Source Server // msource: the sender
	State  ServerState
	Round  Number
	Vote   Vote
}

// Notifications is recvqueue: what has been received and waits for lookForLeader.
type Notifications = modules.Seq[Notification, [MaxQueued]Notification]

// ElectionQueue holds the notifications in flight between two servers, and ElectionNet those
// between all servers: electionMsgs. The connections are QuorumCnxManager's, apart from those
// between leaders and followers. TCP, as there.
//
// Deviation: QuorumCnxManager keeps one unsent notification for each peer, and a newer one replaces
// it (SEND_CAPACITY, QuorumCnxManager.java 109, 3.9.1). It sends the last one again when a
// connection is made anew. Here everything that is sent over a connection arrives, and nothing is
// sent again except after a time-out. That hides votes that are overwritten before they are sent,
// and votes that arrive twice.
type (
	ElectionQueue = modules.Channel[Notification, [MaxNotifications]Notification]
	ElectionNet   = modules.Net[Server, NotificationKind, Notification, [MaxNotifications]Notification,
		[Servers]ElectionQueue, [ElectionSlots][Servers]ElectionQueue]
)

// succeeds reports whether v takes the place of u: FastLeaderElection.totalOrderPredicate (723,
// 3.9.1). Epochs come first, then zxids, then identities. The version of 3.4.3 (ZOOKEEPER-1419)
// compares identities where zxids are equal and the epochs are not, so that three votes can each
// succeed the next.
func (v Vote) succeeds(u Vote) bool {
	identity := v.Zxid == u.Zxid && v.Leader > u.Leader
	if votesByIdentity && identity {
		return true
	}
	return v.Epoch > u.Epoch || v.Epoch == u.Epoch && (v.Zxid.After(u.Zxid) || identity)
}

// leadersAreOutside says that a server looks for the leader's own ballot among those that have left
// the election, also for votes of the same round. A server believes that it is the leader itself if
// others say so. FastLeaderElection.checkLeader (607 to 627, 850, 3.4.3).
const leadersAreOutside = votesByIdentity

// agrees reports whether the recorded ballot b is for the same outcome as c: Vote.equals (3.9.1,
// since ZOOKEEPER-1805). Votes of servers that have left the election may differ in zxid and round,
// since such a vote's epoch is updated when the leader's epoch begins. Votes of recvset whose
// format version differs from that of the notification then agree if the leaders are the same.
func (b Ballot) agrees(c Ballot, sameVersion bool) bool {
	if b.State != LOOKING && c.State != LOOKING {
		return b.Vote.Leader == c.Vote.Leader && (!sameVersion || b.Vote.Epoch == c.Vote.Epoch)
	}
	return b.Vote == c.Vote && b.Round == c.Round
}

// supporters returns the servers whose recorded ballots agree with c: getVoteTracker (760, 3.9.1).
func supporters(votes *Ballots, c Ballot, sameVersion bool) Set {
	var set Set
	for k := range Servers {
		if i := Server(k); votes.Has(i) && votes.At(i).agrees(c, sameVersion) {
			set.Add(i)
		}
	}
	return set
}

// record puts the ballot of m's sender into votes.
func record(votes *Ballots, m Notification) {
	votes.Put(m.Source, Ballot{Vote: m.Vote, Round: m.Round, State: m.State})
}

// Voter describes the notifications of a server that do not carry its vote in the round.
type Voter struct {
	// QuorumPeer.currentVote, until the vote that ended the election is surely set
	Ended Ballot
	// FastLeaderElection.proposedLeader and so on, when the last election ended
	Proposed Vote
	// the round of Proposed: the server takes over that of those whom it joins
	Round   Number
	Settled Statement   // which of its votes it has sent, or is surely set
	Was     ServerState // what it may still take itself for, though its connections have ended
	// connections to a server over which nothing was sent again yet; 255 is no end
	Met [Servers]uint8
	// servers that were answered since the last vote was sent, which is not sent again to them
	Answered Set
}

// Statement says which vote a server sends. In an election that is its last one. A server that does
// not look for a leader sends the one before the election, the one with which that ended, or the
// same with the epoch that has begun.
type Statement uint8

// Statements, in the order in which they come.
const (
	Before Statement = iota
	Elected
	Begun
	Last
	Again  // the last one as it was sent, over a new connection
	Silent // nothing
)
