package published

import "github.com/multigrain/multigrain/modules"

// Vote is [proposedLeader, proposedZxid, proposedEpoch].
type Vote struct {
	Leader Server
	Zxid   Zxid
	Epoch  Number
}

// Ballot is a vote as another server records it, in receiveVotes and outOfElection.
type Ballot struct {
	Vote    Vote
	Round   Number
	State   ServerState
	Version uint8 // counts the sender's notifications of that round
}

// Ballots are the votes that a server has recorded, by their senders.
type Ballots = modules.Map[Server, Ballot, [Servers]Ballot]

// NotificationKind is mtype of an element of a receive queue.
type NotificationKind uint8

// Values of mtype. NONE marks a time-out; it is never sent.
const (
	NOTIFICATION NotificationKind = iota
	NONE
)

// Notification is a message of Fast Leader Election.
type Notification struct {
	Kind   NotificationKind
	Source Server // msource: the sender
	State  ServerState
	Round  Number
	Vote   Vote
}

// Notifications is recvQueue.
type Notifications = modules.Seq[Notification, [MaxQueued]Notification]

// ElectionQueue holds the notifications in flight from one server to another, and ElectionNet those
// between all of them: electionMsgs.
type (
	ElectionQueue = modules.Channel[Notification, [MaxNotifications]Notification]
	ElectionNet   = modules.Net[Server, NotificationKind, Notification, [MaxNotifications]Notification,
		[Servers]ElectionQueue, [ElectionSlots][Servers]ElectionQueue]
)

// succeeds reports whether v takes the place of u. TLA+: TotalOrderPredicate.
func (v Vote) succeeds(u Vote) bool {
	identity := v.Zxid == u.Zxid && v.Leader > u.Leader
	return v.Epoch > u.Epoch || v.Epoch == u.Epoch && (v.Zxid.After(u.Zxid) || identity)
}

// supporters are the servers whose recorded votes and rounds are those of c, and a server that
// counts whatever is recorded of it. TLA+: VoteSet.
func supporters(votes *Ballots, c Ballot, always Server) Set {
	set := Set(0).With(always)
	for i := range Server(Servers) {
		if votes.Has(i) && votes.At(i).Vote == c.Vote && votes.At(i).Round == c.Round {
			set.Add(i)
		}
	}
	return set
}

// record puts the ballot of m's sender into votes, unless that of a later round is there. TLA+:
// RcvBufferPut, UpdateVote.
func record(votes *Ballots, m Notification) {
	b, old := Ballot{Vote: m.Vote, Round: m.Round, State: m.State, Version: 1}, Ballot{}
	if votes.Has(m.Source) {
		old = votes.At(m.Source)
	}
	if old.Round > m.Round {
		return
	}
	if old.Round == m.Round {
		b.Version = old.Version + 1
	}
	votes.Put(m.Source, b)
}
