package zab

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// concurrently returns a state in which server 2 leads epoch 1 in Broadcast with follower 0, at the
// follower-threads grains, and follower 1 has still to be synchronised.
func concurrently(t *testing.T) State {
	t.Helper()
	s := initial()
	take(t, &ElectionAndDiscovery, &s, Party{I: 2, S: Everyone})
	take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 0})
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessNEWLEADERUpdateEpoch, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessNEWLEADERReplyAck, &s, Pair{I: 0, J: 2})
	take(t, &LeaderProcessFirstACK, &s, Pair{I: 2, J: 0})
	take(t, &FollowerProcessUPTODATEAsync, &s, Pair{I: 0, J: 2})
	take(t, &LeaderProcessNextACK, &s, Pair{I: 2, J: 0}) // of UPTODATE
	return s
}

// proposed is concurrently, with a transaction that the leader has proposed and follower 1, which
// it has synchronised since, has handed to its SyncRequestProcessor during NEWLEADER.
func proposed(t *testing.T) State {
	t.Helper()
	s := concurrently(t)
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 1})
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 1, J: 2})
	take(t, &FollowerHoldBackPROPOSAL, &s, Pair{I: 1, J: 2})
	take(t, &FollowerProcessNEWLEADERUpdateEpoch, &s, Pair{I: 1, J: 2})
	take(t, &FollowerProcessNEWLEADERLogPackets, &s, Pair{I: 1, J: 2})
	return s
}

func queue(h *Requests) (zs []Zxid) {
	for k := 1; k <= h.Len(); k++ {
		zs = append(zs, h.At(k).Zxid)
	}
	return zs
}

// TestLoggingIsAsynchronous: PROPOSAL changes the queue, the SyncRequestProcessor the log, and only
// then is it acknowledged.
func TestLoggingIsAsynchronous(t *testing.T) {
	t.Parallel()
	s := concurrently(t)
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	take(t, &FollowerProcessPROPOSALAsync, &s, Pair{I: 0, J: 2})
	if s.History[0].Len() != 0 || s.Msgs.Len(0, 2) != 0 || s.QueuedRequests[0].Len() != 1 {
		t.Fatalf("log %v, queue %v", s.History[0], s.QueuedRequests[0])
	}
	take(t, &FollowerSyncProcessorLogRequest, &s, Pair{I: 0, J: 2})
	if s.History[0].Len() != 1 || !slices.Equal(s.kinds(0, 2), []Kind{ACK}) || s.QueuedRequests[0].Len() != 0 {
		t.Errorf("log %v, queue %v, sent %v", s.History[0], s.QueuedRequests[0], s.kinds(0, 2))
	}
}

// TestApplyingIsAsynchronous: COMMIT changes the queue of the CommitProcessor, which waits until
// the transaction is logged.
func TestApplyingIsAsynchronous(t *testing.T) {
	t.Parallel()
	s := concurrently(t)
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	take(t, &FollowerProcessPROPOSALAsync, &s, Pair{I: 0, J: 2})
	s.Msgs.Send(2, 0, Msg{Kind: COMMIT, Zxid: Zxid{1, 1}})
	take(t, &FollowerProcessCOMMITAsync, &s, Pair{I: 0, J: 2})
	if s.LastCommitted[0] != 0 || s.CommittedRequests[0].Len() != 1 || s.PendingTxns[0].Len() != 0 {
		t.Fatalf("committed %d, queue %v, pending %v", s.LastCommitted[0], s.CommittedRequests[0], s.PendingTxns[0])
	}
	if FollowerCommitProcessorCommit.Guard(&s, One{I: 0}) {
		t.Error("a transaction is applied that is not logged")
	}
	take(t, &FollowerSyncProcessorLogRequest, &s, Pair{I: 0, J: 2})
	take(t, &FollowerCommitProcessorCommit, &s, One{I: 0})
	if s.LastCommitted[0] != 1 || s.LastProcessed[0] != 1 {
		t.Errorf("committed %d, applied %d", s.LastCommitted[0], s.LastProcessed[0])
	}
}

// TestCommitOfAnother: COMMIT must name the first pending transaction; without any it is ignored.
func TestCommitOfAnother(t *testing.T) {
	t.Parallel()
	s := concurrently(t)
	s.Msgs.Send(2, 0, Msg{Kind: COMMIT, Zxid: Zxid{1, 2}})
	alone := s
	take(t, &FollowerProcessCOMMITAsync, &alone, Pair{I: 0, J: 2})
	if alone.Raised.Has(CommitNotNext) || alone.CommittedRequests[0].Len() != 0 {
		t.Error("a COMMIT without any pending transaction has an effect")
	}
	s.logRequest(0, Txn{Zxid: Zxid{1, 1}})
	take(t, &FollowerProcessCOMMITAsync, &s, Pair{I: 0, J: 2})
	if !s.Raised.Has(CommitNotNext) {
		t.Error("a COMMIT of another transaction is not noticed")
	}
}

// TestFirstACK: the leader takes what comes first from a learner for the acknowledgement of
// NEWLEADER. With its quorum it sends UPTODATE for an acknowledgement of a proposal too, and does
// not care for that of NEWLEADER after it.
func TestFirstACK(t *testing.T) {
	t.Parallel()
	s := proposed(t)
	take(t, &FollowerSyncProcessorLogRequest, &s, Pair{I: 1, J: 2})
	take(t, &FollowerProcessNEWLEADERReplyAck, &s, Pair{I: 1, J: 2})
	if !slices.Equal(s.kinds(1, 2), []Kind{ACK, ACKLD}) {
		t.Fatalf("sent %v", s.kinds(1, 2))
	}
	lonely := s
	lonely.AckldRecv[2] = Contacts{Sids: Set(0).With(2), Connected: Set(0).With(2)}
	take(t, &LeaderProcessFirstACK, &lonely, Pair{I: 2, J: 1})
	if !lonely.Raised.Has(AckOtherEpoch) {
		t.Error("the leader waits for NEWLEADER's acknowledgement and takes another")
	}
	take(t, &LeaderProcessFirstACK, &s, Pair{I: 2, J: 1})
	if !slices.Equal(s.kinds(2, 1), []Kind{UPTODATE}) || s.Raised.Has(AckOtherEpoch) {
		t.Fatalf("sent %v", s.kinds(2, 1))
	}
	take(t, &LeaderProcessNextACK, &s, Pair{I: 2, J: 1})
	if len(s.kinds(2, 1)) != 1 || s.LastCommitted[2] != 0 {
		t.Error("the acknowledgement of NEWLEADER counts for something")
	}
}

// TestUPTODATEHandsOver: what is committed meanwhile goes to the CommitProcessor, and the leader
// may hear that the follower is up to date before it has applied it (ZOOKEEPER-3023).
func TestUPTODATEHandsOver(t *testing.T) {
	t.Parallel()
	s := proposed(t)
	s.PacketsSync[1].Committed.Append(Zxid{1, 1})
	s.EpochHistory[0] = history(Txn{Zxid: Zxid{1, 1}}) // as if the epoch began with it
	take(t, &FollowerProcessNEWLEADERReplyAck, &s, Pair{I: 1, J: 2})
	take(t, &LeaderProcessFirstACK, &s, Pair{I: 2, J: 1})
	take(t, &FollowerProcessUPTODATEAsync, &s, Pair{I: 1, J: 2})
	if s.ZabState[1] != BROADCAST || s.CommittedRequests[1].Len() != 1 || s.LastCommitted[1] != 0 {
		t.Fatalf("queue %v, committed %d", s.CommittedRequests[1], s.LastCommitted[1])
	}
	n := s
	take(t, &LeaderProcessNextACK, &n, Pair{I: 2, J: 1})
	if appliedAtUPTODATE(&s, &n, Pair{I: 2, J: 1}) {
		t.Error("the follower is up to date")
	}
	gone := s
	take(t, &NodeCrashUnnoticed, &gone, Crash{I: 1})
	if !isNextACK(&gone, Pair{I: 2, J: 1}) {
		t.Fatal("the leader does not take the acknowledgement of a follower that has crashed")
	}
	if !appliedAtUPTODATE(&gone, &n, Pair{I: 2, J: 1}) {
		t.Error("a follower that has crashed counts as one that serves")
	}
	take(t, &FollowerSyncProcessorLogRequest, &s, Pair{I: 1, J: 2})
	take(t, &FollowerCommitProcessorCommit, &s, One{I: 1})
	if !appliedAtUPTODATE(&s, &n, Pair{I: 2, J: 1}) {
		t.Error("the follower is not up to date")
	}
}

// step takes a step of the composition with a follower's threads, if it is enabled.
func step(t *testing.T, s State, action string, param any) (State, bool) {
	t.Helper()
	return stepOf(t, []grains.Ref{
		{Module: "election", Grain: "coarse"}, {Module: "synchronization", Grain: "follower-threads"},
		{Module: "broadcast", Grain: "follower-threads"}, {Module: "faults", Grain: "crash-partition"},
	}, s, action, param)
}

// stepOf takes a step of a composition, with all its rules, if it is enabled.
func stepOf(t *testing.T, of []grains.Ref, s State, action string, param any) (State, bool) {
	t.Helper()
	spec, err := grains.Compose(&System, grains.Choice{Grains: of})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range spec.Actions {
		if k := a.Match(param); a.Name == action && k >= 0 {
			n := s
			if !a.Enabled(&s, k) {
				return s, false
			}
			a.Apply(&s, &n, k)
			return n, true
		}
	}
	t.Fatalf("there is no %s(%v)", action, param)
	return s, false
}

// TestShutdownLeavesQueue: a follower that loses its leader keeps what its SyncRequestProcessor has
// queued, and logs it when nobody counts on it (ZOOKEEPER-4712); one that crashes loses it.
func TestShutdownLeavesQueue(t *testing.T) {
	t.Parallel()
	s := concurrently(t)
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	take(t, &FollowerProcessPROPOSALAsync, &s, Pair{I: 0, J: 2})
	dead, ok := step(t, s, "NodeCrash", Crash{I: 0})
	if !ok || dead.QueuedRequests[0].Len()+dead.LeftRequests[0].Len()+dead.PendingTxns[0].Len() != 0 {
		t.Errorf("enabled: %v, queues %v, %v", ok, dead.QueuedRequests[0], dead.LeftRequests[0])
	}
	left, ok := step(t, s, "NodeCrash", Crash{I: 2})
	if !ok || !slices.Equal(queue(&left.LeftRequests[0]), []Zxid{{1, 1}}) || left.QueuedRequests[0].Len() != 0 {
		t.Fatalf("enabled: %v, left %v", ok, left.LeftRequests[0])
	}
	take(t, &LeftSyncProcessorLogRequest, &left, One{I: 0})
	if left.History[0].Len() != 1 || left.LastProcessed[0] != 0 || left.Msgs.Len(0, 2) != 0 {
		t.Errorf("log %v, last transaction at %d", left.History[0], left.LastProcessed[0])
	}
	itself, ok := step(t, left, "ElectionAndDiscovery", Party{I: 0, S: Set(0).With(0).With(1)})
	if !ok || itself.History[0].Len() != 0 || itself.EpochHistory[1].Len() != 0 {
		t.Errorf("enabled: %v, as leader it has %v", ok, itself.History[0])
	}
	left.CurrentEpoch[1] = 1 // as if it had been synchronised
	other, ok := step(t, left, "ElectionAndDiscovery", Party{I: 1, S: Set(0).With(0).With(1)})
	if !ok || other.Electing[1].At(0).PeerLastZxid != (Zxid{}) || other.History[0].Len() != 1 {
		t.Errorf("enabled: %v, the leader is told %v", ok, other.Electing[1])
	}
}

// TestFaultWaitsForNEWLEADER: a leader's crash is noticed after NEWLEADER; the follower itself may
// crash during it, between the epoch and the log (ZOOKEEPER-4643).
func TestFaultWaitsForNEWLEADER(t *testing.T) {
	t.Parallel()
	s := proposed(t)
	if _, ok := step(t, s, "NodeCrash", Crash{I: 2}); ok {
		t.Error("the follower notices the crash amid NEWLEADER")
	}
	if _, ok := step(t, s, "PartitionStart", Pair{I: 2, J: 1}); ok {
		t.Error("the follower notices the partition amid NEWLEADER")
	}
	n, ok := step(t, s, "NodeCrash", Crash{I: 1})
	if !ok || n.CurrentEpoch[1] != 1 || n.History[1].Len() != 0 {
		t.Errorf("enabled: %v, epoch %d, log %v", ok, n.CurrentEpoch[1], n.History[1])
	}
	take(t, &FollowerProcessNEWLEADERReplyAck, &s, Pair{I: 1, J: 2})
	if _, ok := step(t, s, "NodeCrash", Crash{I: 2}); !ok {
		t.Error("the leader cannot crash")
	}
}
