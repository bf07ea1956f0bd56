package tla

// Kind is mtype of a message between a leader and a follower.
type Kind uint8

// Values of mtype.
const (
	NoKind Kind = iota
	FOLLOWERINFO
	LEADERINFO
	ACKEPOCH
	DIFF
	TRUNC
	SNAP
	PROPOSAL
	COMMIT
	NEWLEADER
	ACKLD
	UPTODATE
	ACK
)

// Msg is a message of Discovery, Synchronization or Broadcast.
type Msg struct {
	Kind Kind
	// Zxid is mzxid: the transaction that is proposed, acknowledged or committed, the last one
	// that the follower keeps (DIFF, TRUNC, SNAP), or that of the epoch, with counter 0.
	Zxid Zxid
	// Data is mdata of PROPOSAL, and mepoch of ACKEPOCH, which is -1 if it does not count.
	Data Number
}
