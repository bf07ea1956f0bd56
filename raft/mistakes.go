package raft

// Mistakes that implementations have made, the values of the option "mistake". Each changes one
// decision of one function and is found by the invariants of the protocol; the manifests are in
// configs/raft/mistakes. Numbers of bugs are those of SandTable, table 2, and of the table of
// "Smart Casual Verification of the Confidential Consortium Framework", 2.
const (
	// CommitOlderTerm: a leader commits entries of earlier terms by counting replicas (figure 8;
	// PySyncObj#5; CCF, "Commit advance for previous term").
	CommitOlderTerm = "commit-older-term"
	// VoteWithoutLogCheck: a vote goes to a candidate whose log is older (section 5.4.1).
	VoteWithoutLogCheck = "vote-without-log-check"
	// VoteNotPersisted: a vote is answered before it is on disk, and a crash forgets it (figure 2,
	// "Persistent state").
	VoteNotPersisted = "vote-not-persisted"
	// AckBeforeWrite: a follower acknowledges entries before they are on disk, and a crash forgets
	// them (figure 2, "Persistent state"; etcd#10166, etcd#16220, dragonboat#409).
	AckBeforeWrite = "ack-before-write"
	// AckInPieces: a follower acknowledges all entries of an append when the first one is on disk,
	// and a crash forgets the others (figure 2, "Persistent state"; braft#119).
	AckInPieces = "ack-in-pieces"
	// StaleVoteReplies: a candidate counts votes for an earlier candidacy (Xraft#1).
	StaleVoteReplies = "stale-vote-replies"
	// LeaderVotes: a grant of a pre-vote is recorded as a vote, and a leader so votes for others
	// (DaosRaft#1).
	LeaderVotes = "leader-votes"
	// MatchFromStaleReply: a late acknowledgement lowers matchIndex (RaftOS#1).
	MatchFromStaleReply = "match-from-stale-reply"
	// MatchFromRejection: a rejection sets matchIndex, which so goes down (PySyncObj#4) or up (CCF,
	// "Commit advance on AE-NACK").
	MatchFromRejection = "match-from-rejection"
	// NextAtMatch: a rejection moves nextIndex back without regard to what is known to match
	// (PySyncObj#3).
	NextAtMatch = "next-at-match"
	// EraseMatching: a follower erases what follows an entry that it has already (RaftOS#2).
	EraseMatching = "erase-matching"
	// TruncateCommitted: a follower rolls its log back to where a late append begins, below its
	// commit index (CCF, "Truncation from early AE").
	TruncateCommitted = "truncate-committed"
	// AckBeyondMessage: a follower acknowledges its whole log, not what the append vouches for
	// (CCF, "Inaccurate AE-ACK").
	AckBeyondMessage = "ack-beyond-message"
	// UnionQuorum: a quorum in a joint configuration is one of the union of both (CCF, "Incorrect
	// election quorum tally").
	UnionQuorum = "union-quorum"
	// CampaignUnapplied: a server campaigns while it has committed configuration changes that it
	// has not applied (etcd#7280, etcd#12133).
	CampaignUnapplied = "campaign-unapplied"
	// ConcurrentChanges: a leader takes a configuration change while another one is not committed
	// (RedisRaft#17).
	ConcurrentChanges = "concurrent-changes"
	// ApplyUncommitted: a leader's configuration changes take effect, and are answered to clients,
	// before a quorum has them (RedisRaft#256).
	ApplyUncommitted = "apply-uncommitted"
	// AnswerLearner: who asks for a server to be added is answered when it is a learner (RedisRaft,
	// "Unreported" in Ellsberg).
	AnswerLearner = "answer-learner"
	// StaleCache: a follower that replaces an entry continues reading the old one, from a cache
	// (RedisRaft#52).
	StaleCache = "stale-cache"
	// ReadWithoutQuorum: a leader answers reads without asking whether it still leads (etcd#741,
	// Xraft-KV#1).
	ReadWithoutQuorum = "read-without-quorum"
	// ReadBeforeCommit: a leader answers reads before it has committed an entry of its term
	// (etcd#7331, RedisRaft#19; dissertation, section 6.4, step 1).
	ReadBeforeCommit = "read-before-commit"
)
