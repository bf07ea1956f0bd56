package zab

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// opened returns a state at grain leader-threads: the leader has decided on TRUNC for follower 1
// and starts forwarding to it. Before it queues NEWLEADER it commits another transaction with
// follower 0.
func opened(t *testing.T) State {
	t.Helper()
	s := concurrently(t)
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	s.History[0], s.LastProcessed[0] = s.History[2], 1
	s.LastCommitted[2], s.LastProcessed[2] = 1, 1
	s.Msgs.Clear(2, 0)
	s.History[1], s.LastProcessed[1] = history(s.History[2].At(1), txn(1, 2)), 2
	s.Electing[2].Put(1, Elector{PeerLastZxid: Zxid{1, 2}})
	take(t, &LeaderOpensSync, &s, Pair{I: 2, J: 1})
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	s.countAck(2, 0, Zxid{1, 2})
	return s
}

// TestCommitBeforeNEWLEADER: other threads' proposals and commits come between TRUNC and NEWLEADER
// (Leader.startForwarding comes before LearnerHandler queues NEWLEADER).
func TestCommitBeforeNEWLEADER(t *testing.T) {
	t.Parallel()
	s := opened(t)
	if maySynchronise(&s, Pair{I: 2, J: 1}) {
		t.Error("the leader may open twice")
	}
	take(t, &LeaderQueuesNEWLEADER, &s, Pair{I: 2, J: 1})
	if got := s.kinds(2, 1); !slices.Equal(got, []Kind{TRUNC, PROPOSAL, COMMIT, NEWLEADER}) {
		t.Fatalf("the leader sends %v", got)
	}
	if LeaderQueuesNEWLEADER.Guard(&s, Pair{I: 2, J: 1}) || maySynchronise(&s, Pair{I: 2, J: 1}) {
		t.Error("the follower is synchronised twice")
	}
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 1, J: 2})
	take(t, &FollowerHoldBackPROPOSAL, &s, Pair{I: 1, J: 2})
	take(t, &FollowerProcessCOMMITInSync, &s, Pair{I: 1, J: 2})
	if !s.appliesInMemory(1) || s.applied(1) != 1 || s.Raised.Has(CommitMismatched) {
		t.Errorf("applied in memory: %d, raised: %v", s.applied(1), s.Raised)
	}
}

// TestCommitBeforeNEWLEADERMismatch: at this grain I-14.mismatch compares something. A COMMIT for
// another transaction than the first one held back breaks it.
func TestCommitBeforeNEWLEADERMismatch(t *testing.T) {
	t.Parallel()
	s := opened(t)
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 1, J: 2})
	take(t, &FollowerHoldBackPROPOSAL, &s, Pair{I: 1, J: 2})
	s.Msgs.Clear(2, 1)
	s.Msgs.Send(2, 1, Msg{Kind: COMMIT, Zxid: Zxid{1, 3}})
	take(t, &FollowerProcessCOMMITInSync, &s, Pair{I: 1, J: 2})
	if !s.Raised.Has(CommitMismatched) {
		t.Error("I-14.mismatch holds")
	}
}

// TestSentWithNEWLEADER: a follower gets nothing of what its leader has queued before NEWLEADER
// until NEWLEADER is queued: LearnerHandler.run starts its sender after that.
func TestSentWithNEWLEADER(t *testing.T) {
	t.Parallel()
	refs := []grains.Ref{
		{Module: "election", Grain: "coarse"}, {Module: "synchronization", Grain: "leader-threads"},
		{Module: "broadcast", Grain: "follower-threads"},
		{Module: "faults", Grain: "crash-partition"},
	}
	s := synchronizing(t, History{}, History{}, History{})
	if _, ok := stepOf(t, refs, s, "FollowerProcessSyncMessage", Pair{I: 1, J: 2}); ok {
		t.Error("the follower gets what was not queued")
	}
	take(t, &LeaderOpensSync, &s, Pair{I: 2, J: 1})
	if got := s.kinds(2, 1); !slices.Equal(got, []Kind{DIFF}) {
		t.Fatalf("the leader queues %v", got)
	}
	if _, ok := stepOf(t, refs, s, "FollowerProcessSyncMessage", Pair{I: 1, J: 2}); ok {
		t.Error("the follower gets DIFF before the sender starts")
	}
	take(t, &LeaderQueuesNEWLEADER, &s, Pair{I: 2, J: 1})
	n, ok := stepOf(t, refs, s, "FollowerProcessSyncMessage", Pair{I: 1, J: 2})
	if !ok || n.ConnectInfo[1].SyncMode != DIFF {
		t.Errorf("the follower does not get DIFF after that: %v, %v", ok, n.ConnectInfo[1])
	}
	// What one learner waits for keeps no other one waiting.
	take(t, &LeaderOpensSync, &s, Pair{I: 2, J: 0})
	if _, ok := stepOf(t, refs, s, "FollowerProcessSyncMessage", Pair{I: 1, J: 2}); !ok {
		t.Error("follower 1 waits for the NEWLEADER of follower 0")
	}
}
