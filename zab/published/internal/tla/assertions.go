package tla

// Assertion is a record of violatedInvariants: an action found a state that must not be.
type Assertion uint8

// Assertions.
const (
	// Discovery.
	FollowersInOtherPhase Assertion = iota // FOLLOWERINFO or ACKEPOCH at a leader after Discovery
	InfoInOtherPhase                       // LEADERINFO reaches a follower after Discovery

	// Synchronization and Broadcast.
	SyncInOtherPhase  // DIFF, TRUNC or SNAP reaches a follower that is not in Synchronization
	CannotTruncate    // TRUNC names a transaction that the follower does not have
	AckOtherEpoch     // ACKLD carries another epoch's zxid
	AckUnknown        // ACK is for a proposal that the leader does not know, or out of order
	ProposalGapInSync // PROPOSAL in Synchronization does not follow the last one queued
	ProposalGap       // PROPOSAL in Broadcast does not follow the last one logged
	CommitUnmatched   // COMMIT in Synchronization meets no proposal that is held back
	CommitNotNext     // COMMIT is not for the first pending transaction

	MessageUnexpected // a message reaches a server that has no use for it
	SnapshotAhead     // a snapshot would go back before the last one
)
