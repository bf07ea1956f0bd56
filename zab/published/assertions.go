package published

import "github.com/multigrain/multigrain/modules"

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

// phaseAssertions are the checks of Discovery.
var phaseAssertions = []modules.Invariant[State]{
	{ID: "phase", Instance: "leader", Raises: modules.Bit(FollowersInOtherPhase),
		Doc: "A leader that waits for FOLLOWERINFO or ACKEPOCH is in Discovery."},
	{ID: "phase", Instance: "follower", Raises: modules.Bit(InfoInOtherPhase),
		Doc: "A follower that receives LEADERINFO is in Discovery."},
}

// synchronizationAssertions are the checks of Synchronization: stateConsistent, ackIllegal,
// proposalIllegal and commitIllegal, numbered as table 2 of Remix does.
var synchronizationAssertions = []modules.Invariant[State]{
	{ID: "I-11", Instance: "sync", Raises: modules.Bit(SyncInOtherPhase),
		Doc: "Bad state: DIFF, TRUNC or SNAP reaches a follower that is not in Synchronization."},
	{ID: "I-11", Instance: "truncate", Raises: modules.Bit(CannotTruncate),
		Doc: "Bad state: TRUNC names a transaction that the follower's history does not have."},
	{ID: "I-12", Instance: "epoch", Raises: modules.Bit(AckOtherEpoch),
		Doc: "Bad acknowledgement: ACKLD carries another zxid than that of the epoch."},
	{ID: "I-13", Instance: "sync", Raises: modules.Bit(ProposalGapInSync),
		Doc: "Bad proposal: PROPOSAL in Synchronization does not follow the last one queued."},
	{ID: "I-14", Instance: "unmatched", Raises: modules.Bit(CommitUnmatched),
		Doc: "Bad commit: COMMIT in Synchronization is not for the next transaction received."},
}

// broadcastAssertions are the checks of Broadcast.
var broadcastAssertions = []modules.Invariant[State]{
	{ID: "I-12", Instance: "unknown", Raises: modules.Bit(AckUnknown),
		Doc: "Bad acknowledgement: ACK is for a proposal that the leader does not know, or out of order."},
	{ID: "I-13", Instance: "broadcast", Raises: modules.Bit(ProposalGap),
		Doc: "Bad proposal: PROPOSAL in Broadcast does not follow the last one logged."},
	{ID: "I-14", Instance: "order", Raises: modules.Bit(CommitNotNext),
		Doc: "Bad commit: the transaction to commit is not the first pending one."},
}
