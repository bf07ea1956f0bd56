package zab

import "testing"

// TestMark: a crash within NEWLEADER leaves the file updatingEpoch, whether the leader notices the
// crash in the same step or not. A start then takes the epoch of the last transaction. It needs a
// build with the file: TestMarked runs it.
func TestMark(t *testing.T) {
	t.Parallel()
	if !marksNEWLEADER {
		t.Skip("servers of this build do not create updatingEpoch: see TestMarked")
	}
	x := txn(1, 1)
	s := synchronizing(t, history(x), History{}, history(x))
	s.AcceptedEpoch[0], s.CurrentEpoch[0] = 1, 0
	s.LeaderAddr[0] = 2
	s.Msgs.Clear(2, 0)
	before := s
	s.Msgs.Send(2, 0, Msg{Kind: NEWLEADER})
	if before.leavesMark(0) || !s.leavesMark(0) {
		t.Fatalf("server 0 leaves the file: %v before NEWLEADER, and %v within it", before.leavesMark(0), s.leavesMark(0))
	}
	noticed, unnoticed := s, s
	take(t, &NodeCrash, &noticed, Crash{I: 0})
	take(t, &NodeCrashUnnoticed, &unnoticed, Crash{I: 0})
	for name, c := range map[string]*State{"NodeCrash": &noticed, "NodeCrashUnnoticed": &unnoticed} {
		take(t, &NodeStart, c, One{I: 0})
		if c.Raised.Has(EpochBehind) || c.CurrentEpoch[0] != 1 {
			t.Errorf("after %s the server starts with epoch %d", name, c.CurrentEpoch[0])
		}
	}
}
