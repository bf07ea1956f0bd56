package zab

import "testing"

// TestQueueLogged: with the fix of ZOOKEEPER-4712 a follower that notices by itself that its
// connection has ended does not leave before its SyncRequestProcessor has logged all. It needs a
// build with the fix: TestQueueLoggedFirst runs it.
func TestQueueLogged(t *testing.T) {
	t.Parallel()
	if !stopsSyncProcessor {
		t.Skip("followers of this build leave the thread running: see TestQueueLoggedFirst")
	}
	s := serving(t)
	s.QueuedRequests[0].Append(txn(2, 1))
	s.Msgs.Clear(2, 0)
	s.Msgs.Send(2, 0, Msg{Kind: CLOSED})
	if FollowerProcessCLOSED.Guard(&s, Pair{I: 0, J: 2}) || FollowerTimesOut.Guard(&s, One{I: 0}) {
		t.Error("the follower leaves with a queue")
	}
	s.QueuedRequests[0].Clear()
	take(t, &FollowerProcessCLOSED, &s, Pair{I: 0, J: 2})
	if s.State[0] != LOOKING {
		t.Errorf("the follower is %v", s.State[0])
	}
}
