package zab

import "testing"

// joins takes server j to leader i, and lets it serve.
func joins(t *testing.T, s *State, i, j Server, by *Action[Pair]) {
	t.Helper()
	take(t, by, s, Pair{I: i, J: j})
	take(t, &FollowerProcessSyncMessage, s, Pair{I: j, J: i})
	for s.Msgs.Is(i, j, PROPOSAL, COMMIT) {
		if s.Msgs.Is(i, j, PROPOSAL) {
			take(t, &FollowerProcessPROPOSALInSync, s, Pair{I: j, J: i})
		} else {
			take(t, &FollowerProcessCOMMITInSync, s, Pair{I: j, J: i})
		}
	}
	take(t, &FollowerProcessNEWLEADER, s, Pair{I: j, J: i})
	take(t, &LeaderProcessACKLD, s, Pair{I: i, J: j})
	for s.Msgs.Is(i, j, PROPOSAL, COMMIT) {
		if s.Msgs.Is(i, j, PROPOSAL) {
			take(t, &FollowerProcessPROPOSALInSync, s, Pair{I: j, J: i})
		} else {
			take(t, &FollowerProcessCOMMITInSync, s, Pair{I: j, J: i})
		}
	}
	take(t, &FollowerProcessUPTODATE, s, Pair{I: j, J: i})
}

// overHole returns a state in which leader 1 of epoch 3 synchronises server 0. Server 1 has t and w
// in its log, and u in a snapshot: the leader of epoch 2 found its log too large for it, or not.
func overHole(t *testing.T, large *Action[Pair]) State {
	t.Helper()
	needsDisks(t)
	s := initial()
	take(t, &QuorumElection, &s, Party{I: 2, S: Set(0).With(1).With(2)})
	joins(t, &s, 2, 1, &LeaderSyncFollower)
	take(t, &JoinLeader, &s, Pair{I: 2, J: 0})
	joins(t, &s, 2, 0, &LeaderSyncFollower)
	take(t, &LeaderProcessRequest, &s, One{I: 2}) // t
	for j := range Server(2) {
		take(t, &FollowerProcessPROPOSAL, &s, Pair{I: j, J: 2})
		take(t, &LeaderProcessACK, &s, Pair{I: 2, J: j})
		take(t, &FollowerProcessCOMMIT, &s, Pair{I: j, J: 2})
	}
	take(t, &ServerTakesSnapshot, &s, One{I: 2})
	take(t, &LeaderProcessRequest, &s, One{I: 2}) // u
	take(t, &NodeCrash, &s, Crash{I: 2})
	take(t, &NodeStart, &s, One{I: 2})

	take(t, &QuorumElection, &s, Party{I: 2, S: Set(0).With(1).With(2)})
	joins(t, &s, 2, 1, large)
	take(t, &LeaderProcessRequest, &s, One{I: 2}) // w
	take(t, &FollowerProcessPROPOSAL, &s, Pair{I: 1, J: 2})
	take(t, &NodeCrash, &s, Crash{I: 2})

	take(t, &QuorumElection, &s, Party{I: 1, S: Set(0).With(0).With(1)})
	s.CommittedLog = s.History[1] // which rules note
	opened := s
	take(t, &LeaderSyncFollower, &opened, Pair{I: 1, J: 0})
	if got, want := sendsWhole(&s, &opened), large != &LeaderFindsLogLarge; got != want {
		t.Errorf("I-17 is %v, want %v: server 0 gets %v", got, want, opened.kinds(1, 0))
	}
	joins(t, &s, 1, 0, &LeaderSyncFollower)
	return s
}

// TestApartDiffOverHole: ZOOKEEPER-2846 as its ticket has it. A leader with a hole in its log sends
// DIFF to a learner whose last write is before the hole, so the learner lacks the write in it. With
// a log that the earlier leader could read there is no hole.
func TestApartDiffOverHole(t *testing.T) {
	t.Parallel()
	s := overHole(t, &LeaderFindsLogLarge)
	want := []Zxid{{1, 1}, {2, 1}}
	if got := s.diskOf(1).Log; got != history(s.diskOf(0).Log.At(1), s.diskOf(0).Log.At(2)) {
		t.Errorf("the log of the leader has %v, want t and w", got)
	}
	s.has(t, 0, Zxid{2, 1}, want...)
	if hasNoHole(&s) {
		t.Error("I-15.hole does not see that server 0 lacks 1:2")
	}
	whole := overHole(t, &LeaderSyncFollower)
	whole.has(t, 0, Zxid{2, 1}, Zxid{1, 1}, Zxid{1, 2}, Zxid{2, 1})
	if !hasNoHole(&whole) {
		t.Error("I-15.hole sees a hole where there is none")
	}
}
