package zab

// Assertion is a check that ZooKeeper's code makes itself: an exception, a failed assertion, an
// error in the log that must not be seen. Effects raise it; the invariants I-11 to I-14 forbid it.
type Assertion uint8

// Assertions.
const (
	// Synchronization and Broadcast.
	// DIFF, TRUNC or SNAP reaches a follower that is not in Synchronization
	SyncInOtherPhase Assertion = iota
	CannotTruncate             // TRUNC names a transaction that the follower does not have
	AckOtherEpoch              // ACK of NEWLEADER carries another epoch's zxid
	// ACK is for a proposal that the leader does not know, or out of order
	AckUnknown
	// PROPOSAL in Synchronization does not follow the last one queued
	ProposalGapInSync
	ProposalGap // PROPOSAL in Broadcast does not follow the last one logged
	// COMMIT in Synchronization meets no proposal that is held back
	CommitUnmatched
	CommitNotNext // COMMIT is not for the first pending transaction
	// COMMIT after TRUNC or SNAP is not for the first proposal that is held back
	CommitMismatched
	// next to a server: it sends what nobody has seen before, or what was in a snapshot
	ValueUnknown
	// a server starts with a transaction of an epoch that it has not accepted
	EpochBehind

	// Discovery.
	// FOLLOWERINFO or ACKEPOCH is waited for by a leader that is not in Discovery
	FollowersInOtherPhase
	InfoInOtherPhase // LEADERINFO reaches a follower that is not in Discovery
)
