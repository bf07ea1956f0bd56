package zab

import "github.com/multigrain/multigrain/modules"

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

	// a server starts with a log in which a transaction of an epoch is missing
	LogGap
	// a server starts with a file that is written in part, or without a snapshot
	FileInPart
)

// synchronizationAssertions are Synchronization's part of I-11 to I-14 of Remix, table 2.
var synchronizationAssertions = []modules.Invariant[State]{
	{ID: "I-11", Instance: "sync", Raises: modules.Bit(SyncInOtherPhase),
		Doc: "Bad state: DIFF, TRUNC or SNAP reaches a follower after Synchronization (Follower.java:244@3.9.1)."},
	{ID: "I-11", Instance: "truncate", Raises: modules.Bit(CannotTruncate),
		Doc: "Bad state: TRUNC names a transaction that the follower's log does not have (Learner.java:599@3.9.1)."},
	{ID: "I-12", Instance: "epoch", Raises: modules.Bit(AckOtherEpoch),
		Doc: "Bad acknowledgement: ACK of NEWLEADER carries another zxid than that of the epoch (Leader.java:1576@3.9.1)."},
	{ID: "I-13", Instance: "sync", Raises: modules.Bit(ProposalGapInSync),
		Doc: "Bad proposal: PROPOSAL in Synchronization does not follow the last one queued (Learner.java:634@3.9.1)."},
	{ID: "I-14", Instance: "npe", Raises: modules.Bit(CommitUnmatched),
		Doc: "Bad commit: COMMIT in Synchronization meets no proposal held back, ZOOKEEPER-4394 (Learner.java:651@3.9.1)."},
	{ID: "I-14", Instance: "mismatch", Raises: modules.Bit(CommitMismatched),
		Doc: "Bad commit: COMMIT after TRUNC or SNAP is not for the first proposal held back (Learner.java:664@3.9.1)."},
}

// restartAssertions are the part of I-11 about starting a server. A finer grain of Synchronization
// than the baseline can break it.
var restartAssertions = []modules.Invariant[State]{
	{ID: "I-11", Instance: "epoch", Raises: modules.Bit(EpochBehind),
		Doc: "Bad state: a server starts with a transaction of an epoch that it has not accepted (QuorumPeer.java:1178@3.9.1)."},
}

// broadcastAssertions are Broadcast's part of I-11 to I-14.
var broadcastAssertions = []modules.Invariant[State]{
	{ID: "I-12", Instance: "unknown", Raises: modules.Bit(AckUnknown),
		Doc: "Bad acknowledgement: ACK is for a proposal that the leader does not know (Leader.java:1034@3.9.1)."},
	{ID: "I-13", Instance: "broadcast", Raises: modules.Bit(ProposalGap),
		Doc: "Bad proposal: PROPOSAL in Broadcast does not follow the last one logged (Follower.java:170@3.9.1)."},
	{ID: "I-14", Instance: "order", Raises: modules.Bit(CommitNotNext),
		Doc: "Bad commit: the transaction to commit is not the first pending one (FollowerZooKeeperServer.java:106@3.9.1)."},
}
