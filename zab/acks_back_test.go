package zab

import "testing"

// TestAcksBack: with the repair a leader that loses a learner forgets what the learner has
// acknowledged, whether both notice in the same step or each by itself. It needs a build with the
// repair: TestAcksTakenBack runs it.
func TestAcksBack(t *testing.T) {
	t.Parallel()
	if !takesAcksBack {
		t.Skip("leaders of this build count on: see TestAcksTakenBack")
	}
	s := serving(t)
	take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 1})
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	s.AckSid[2][0].Add(1)
	s.Msgs.Clear(1, 2)
	noticed, dropped, closed := s, s, s
	take(t, &PartitionStart, &noticed, Pair{I: 2, J: 1})
	take(t, &LeaderDropsLearner, &dropped, Pair{I: 2, J: 1})
	closed.Msgs.Send(1, 2, Msg{Kind: CLOSED})
	take(t, &LeaderProcessCLOSED, &closed, Pair{I: 2, J: 1})
	for name, c := range map[string]*State{"PartitionStart": &noticed, "LeaderDropsLearner": &dropped, "LeaderProcessCLOSED": &closed} {
		if c.State[2] != LEADING || !c.AckSid[2][0].Has(2) || c.AckSid[2][0].Has(1) {
			t.Errorf("after %s the leader counts acknowledgements of %v", name, c.AckSid[2][0])
		}
	}
}
