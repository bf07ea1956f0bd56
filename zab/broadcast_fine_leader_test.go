package zab

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// fineLeader composes the grains in which a leader logs in a thread of its own.
var fineLeader = []grains.Ref{
	{Module: "election", Grain: "coarse-join"}, {Module: "synchronization", Grain: "follower-threads"},
	{Module: "broadcast", Grain: "leader-threads"}, {Module: "faults", Grain: "crash-partition"},
}

// lead takes steps of the composition fineLeader.
func lead(t *testing.T, s State, action string, param any) State {
	t.Helper()
	n, ok := stepOf(t, fineLeader, s, action, param)
	if !ok {
		t.Fatalf("%s is not enabled", action)
	}
	return n
}

// proposedUnlogged is concurrently, with a transaction that the leader has proposed and not logged,
// and that follower 0 has logged and acknowledged.
func proposedUnlogged(t *testing.T) State {
	t.Helper()
	s := concurrently(t)
	take(t, &LeaderProcessRequestAsync, &s, One{I: 2})
	take(t, &FollowerProcessPROPOSALAsync, &s, Pair{I: 0, J: 2})
	take(t, &FollowerSyncProcessorLogRequest, &s, Pair{I: 0, J: 2})
	take(t, &LeaderProcessNextACKAsync, &s, Pair{I: 2, J: 0})
	return s
}

// TestLeaderCountsItselfWhenItHasLogged: a follower's acknowledgement and the leader's own are a
// quorum in either order (Leader.tryToCommit).
func TestLeaderCountsItselfWhenItHasLogged(t *testing.T) {
	t.Parallel()
	s := proposedUnlogged(t)
	if s.LastCommitted[2] != 0 {
		t.Fatal("the leader commits what one server of three has logged")
	}
	take(t, &LeaderSyncProcessorLogRequest, &s, One{I: 2})
	if s.LastCommitted[2] != 1 || s.Unlogged[2] != 0 {
		t.Errorf("committed %d, unlogged %d", s.LastCommitted[2], s.Unlogged[2])
	}
	s = concurrently(t)
	take(t, &LeaderProcessRequestAsync, &s, One{I: 2})
	take(t, &LeaderSyncProcessorLogRequest, &s, One{I: 2})
	if s.LastCommitted[2] != 0 || s.AckSid[2][0] != Set(0).With(2) {
		t.Errorf("committed %d, acknowledged by %v", s.LastCommitted[2], s.AckSid[2][0])
	}
}

// TestFollowersCommitWithoutLeader: a quorum of followers commits what the leader has not logged.
// The leader's own acknowledgement then changes nothing.
func TestFollowersCommitWithoutLeader(t *testing.T) {
	t.Parallel()
	s := proposedUnlogged(t)
	s.countAck(2, 1, Zxid{1, 1})
	if s.LastCommitted[2] != 1 || s.Unlogged[2] != 1 {
		t.Fatalf("committed %d, unlogged %d", s.LastCommitted[2], s.Unlogged[2])
	}
	take(t, &LeaderSyncProcessorLogRequest, &s, One{I: 2})
	if s.LastCommitted[2] != 1 || s.Unlogged[2] != 0 || s.AckSid[2][0] != 0 {
		t.Errorf("committed %d, unlogged %d, acknowledged by %v", s.LastCommitted[2], s.Unlogged[2], s.AckSid[2][0])
	}
}

// TestCrashLosesUnlogged: a leader that crashes loses what it has not logged; one that is shut down
// logs it first (SyncRequestProcessor.shutdown).
func TestCrashLosesUnlogged(t *testing.T) {
	t.Parallel()
	s := proposedUnlogged(t)
	dead, ok := stepOf(t, fineLeader, s, "NodeCrash", Crash{I: 2})
	if !ok || dead.History[2].Len() != 0 || dead.LastProcessed[2] != 0 || dead.Unlogged[2] != 0 {
		t.Errorf("enabled: %v, log %v, last transaction at %d", ok, dead.History[2], dead.LastProcessed[2])
	}
	s.Learners[2].Remove(1) // so that the next loss ends the leader
	shut, ok := stepOf(t, fineLeader, s, "PartitionStart", Pair{I: 2, J: 0})
	if !ok || shut.State[2] != LOOKING || shut.History[2].Len() != 1 || shut.LastProcessed[2] != 1 || shut.Unlogged[2] != 0 {
		t.Errorf("enabled: %v, log %v, last transaction at %d", ok, shut.History[2], shut.LastProcessed[2])
	}
}

// TestTruncatedAckCounts: a leader counts the acknowledgement of a follower to which it has since
// sent TRUNC for the proposal. Nothing in Leader.removeLearnerHandler takes it back.
func TestTruncatedAckCounts(t *testing.T) {
	t.Parallel()
	s := proposedUnlogged(t)
	s = lead(t, s, "PartitionStart", Pair{I: 2, J: 0})
	s = lead(t, s, "PartitionRecover", Pair{I: 0, J: 2})
	s = lead(t, s, "JoinLeader", Pair{I: 2, J: 0})
	s = lead(t, s, "LeaderSyncFollower", Pair{I: 2, J: 0})
	s = lead(t, s, "FollowerProcessSyncMessage", Pair{I: 0, J: 2})
	s = lead(t, s, "LeaderSyncProcessorLogRequest", One{I: 2})
	if s.LastCommitted[2] != 1 || s.History[0].Len() != 0 {
		t.Errorf("the leader has committed %d, follower 0 has logged %v", s.LastCommitted[2], s.History[0])
	}
}

// TestCommittedLogEndsWithApplied: between commit and apply, a follower that joins again truncates
// a committed transaction, and gets it back with its COMMIT (LearnerHandler.syncFollower,
// Leader.startForwarding).
func TestCommittedLogEndsWithApplied(t *testing.T) {
	t.Parallel()
	s := proposedUnlogged(t)
	s = lead(t, s, "LeaderSyncProcessorLogRequest", One{I: 2})
	if s.LastCommitted[2] != 1 || s.LastProcessed[2] != 0 {
		t.Fatalf("committed %d, applied %d", s.LastCommitted[2], s.LastProcessed[2])
	}
	s = lead(t, s, "PartitionStart", Pair{I: 2, J: 0})
	s = lead(t, s, "PartitionRecover", Pair{I: 0, J: 2})
	s = lead(t, s, "JoinLeader", Pair{I: 2, J: 0})
	early := lead(t, s, "LeaderSyncFollower", Pair{I: 2, J: 0})
	if got := early.kinds(2, 0); !slices.Equal(got, []Kind{TRUNC, PROPOSAL, COMMIT, NEWLEADER}) {
		t.Errorf("before it applies, the leader sends %v", got)
	}
	s = lead(t, s, "LeaderCommitProcessorCommit", One{I: 2})
	s = lead(t, s, "LeaderSyncFollower", Pair{I: 2, J: 0})
	if got := s.kinds(2, 0); !slices.Equal(got, []Kind{DIFF, NEWLEADER}) {
		t.Errorf("after it has applied, the leader sends %v", got)
	}
}
