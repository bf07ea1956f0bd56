package tla

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

// Succeeds reports whether v takes the place of u. TLA+: TotalOrderPredicate.
func (v Vote) Succeeds(u Vote) bool {
	identity := v.Zxid == u.Zxid && v.Leader > u.Leader
	return v.Epoch > u.Epoch || v.Epoch == u.Epoch && (v.Zxid.After(u.Zxid) || identity)
}
