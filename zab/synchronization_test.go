package zab

import (
	"slices"
	"testing"
)

// TestSyncFollower: the ways in which LearnerHandler.syncFollower brings a learner up to date, in
// its order. The leader has (1,1) and (1,2), both of them committed because it takes them into its
// epoch.
func TestSyncFollower(t *testing.T) {
	t.Parallel()
	all := []Kind{PROPOSAL, COMMIT, PROPOSAL, COMMIT, NEWLEADER}
	for _, c := range []struct {
		name     string
		follower History
		leader   History
		mode     Kind
		zxid     Zxid // in the opening message
		then     []Kind
	}{
		{"the same last transaction", history(txn(1, 1), txn(1, 2)), history(txn(1, 1), txn(1, 2)), DIFF, Zxid{1, 2}, all[4:]},
		{"a prefix", history(txn(1, 1)), history(txn(1, 1), txn(1, 2)), DIFF, Zxid{1, 1}, all[2:]},
		{"more than the leader", history(txn(1, 1), txn(1, 2)), history(txn(1, 1)), TRUNC, Zxid{1, 1}, all[4:]},
		{"another transaction of an earlier epoch", history(txn(1, 1)), history(txn(2, 1), txn(2, 2)), SNAP, Zxid{2, 2}, all[4:]},
		{"another transaction of the same epoch", history(txn(1, 2)), history(txn(1, 1), txn(1, 3)), TRUNC, Zxid{1, 1}, all[2:]},
		{"nothing", History{}, history(txn(1, 1), txn(1, 2)), SNAP, Zxid{1, 2}, all[4:]},
		{"nothing, like the leader", History{}, History{}, DIFF, Zxid{}, all[4:]},
	} {
		s := synchronizing(t, c.follower, History{}, c.leader)
		take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 0})
		if m := s.Msgs.Head(2, 0); m.Kind != c.mode || m.Zxid != c.zxid {
			t.Errorf("%s: begins with %+v, not with %d %v", c.name, m, c.mode, c.zxid)
		}
		if ks := s.kinds(2, 0)[1:]; !slices.Equal(ks, c.then) {
			t.Errorf("%s: goes on with %v, not with %v", c.name, ks, c.then)
		}
		if !s.Forwarding[2].Has(0) || s.Electing[2].At(0).PeerLastZxid != Synced() {
			t.Errorf("%s: the leader does not know that it has synchronised the follower", c.name)
		}
		if LeaderSyncFollower.Guard(&s, Pair{I: 2, J: 0}) {
			t.Errorf("%s: is synchronised twice", c.name)
		}
	}
}

// TestSyncFollowerInBroadcast: of what a serving leader has not committed only the proposal is
// sent.
func TestSyncFollowerInBroadcast(t *testing.T) {
	t.Parallel()
	s := serving(t)
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 1})
	if ks := s.kinds(2, 1); !slices.Equal(ks, []Kind{DIFF, PROPOSAL, NEWLEADER}) {
		t.Errorf("%v is sent", ks)
	}
}

// TestFollowerAppliesInMemory: what is committed after a TRUNC reaches the disk with NEWLEADER, is
// not acknowledged, and is not committed again.
func TestFollowerAppliesInMemory(t *testing.T) {
	t.Parallel()
	s := synchronizing(t, history(txn(1, 1)), History{}, history(txn(1, 1)))
	s.ConnectInfo[0].SyncMode = TRUNC
	for _, m := range []Msg{{PROPOSAL, Zxid{1, 2}, 12}, {COMMIT, Zxid{1, 2}, 0}, {NEWLEADER, Zxid{2, 0}, 0}, {UPTODATE, Zxid{2, 0}, 0}} {
		s.Msgs.Send(2, 0, m)
	}
	take(t, &FollowerProcessPROPOSALInSync, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessCOMMITInSync, &s, Pair{I: 0, J: 2})
	if s.History[0].Len() != 1 {
		t.Error("it is logged before NEWLEADER")
	}
	take(t, &FollowerProcessNEWLEADER, &s, Pair{I: 0, J: 2})
	if ks := s.kinds(0, 2); s.History[0].Len() != 2 || s.LastProcessed[0] != 2 || !slices.Equal(ks, []Kind{ACKLD}) {
		t.Errorf("history %v, sends %v", s.History[0], ks)
	}
	take(t, &FollowerProcessUPTODATE, &s, Pair{I: 0, J: 2})
	if s.LastCommitted[0] != 2 || s.Raised.Has(CommitNotNext) {
		t.Errorf("%d are committed", s.LastCommitted[0])
	}
}

// TestFollowerTakesUp: after each way of synchronisation the follower has the leader's history, on
// disk with NEWLEADER.
func TestFollowerTakesUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		follower, leader History
		acks             int // of proposals: what a snapshot brings is not acknowledged
	}{
		{"DIFF", history(txn(1, 1)), history(txn(1, 1), txn(1, 2)), 1},
		{"TRUNC", history(txn(1, 1), txn(1, 2)), history(txn(1, 1)), 0},
		{"SNAP", history(txn(1, 1)), history(txn(2, 1), txn(2, 2)), 0},
	} {
		s := synchronizing(t, c.follower, History{}, c.leader)
		take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 0})
		take(t, &FollowerProcessSyncMessage, &s, Pair{I: 0, J: 2})
		for !s.Msgs.Is(2, 0, NEWLEADER) {
			if s.Msgs.Is(2, 0, PROPOSAL) {
				take(t, &FollowerProcessPROPOSALInSync, &s, Pair{I: 0, J: 2})
			} else {
				take(t, &FollowerProcessCOMMITInSync, &s, Pair{I: 0, J: 2})
			}
		}
		if c.name == "SNAP" && s.History[0] != c.follower {
			t.Errorf("%s: the disk has the snapshot before NEWLEADER", c.name)
		}
		take(t, &FollowerProcessNEWLEADER, &s, Pair{I: 0, J: 2})
		if s.History[0] != c.leader || s.CurrentEpoch[0] != s.AcceptedEpoch[2] {
			t.Errorf("%s: the follower has %v in epoch %d", c.name, s.History[0], s.CurrentEpoch[0])
		}
		if have := s.Msgs.Len(0, 2) - 1; have != c.acks {
			t.Errorf("%s: %d proposals are acknowledged, not %d", c.name, have, c.acks)
		}
		take(t, &LeaderProcessACKLD, &s, Pair{I: 2, J: 0})
		take(t, &FollowerProcessUPTODATE, &s, Pair{I: 0, J: 2})
		if int(s.LastCommitted[0]) != c.leader.Len() || s.Raised.Has(CommitNotNext) {
			t.Errorf("%s: the follower has committed %d of %d", c.name, s.LastCommitted[0], c.leader.Len())
		}
	}
}

// TestCommitInSync: how the code treats a COMMIT depends on the mode of synchronisation and on
// NEWLEADER.
func TestCommitInSync(t *testing.T) {
	t.Parallel()
	commit := Msg{Kind: COMMIT, Zxid: Zxid{1, 2}}
	for _, c := range []struct {
		name    string
		conn    ConnectInfo
		held    []Txn
		raises  bool
		commits int
	}{
		{"DIFF, nothing held back", ConnectInfo{SyncMode: DIFF}, nil, true, 0},
		{"DIFF, this one held back", ConnectInfo{SyncMode: DIFF}, []Txn{txn(1, 2)}, false, 1},
		{"DIFF, another one held back", ConnectInfo{SyncMode: DIFF}, []Txn{txn(1, 1)}, false, 1},
		{"TRUNC, nothing held back", ConnectInfo{SyncMode: TRUNC}, nil, true, 0},
		{"TRUNC, this one held back", ConnectInfo{SyncMode: TRUNC}, []Txn{txn(1, 2)}, false, 1},
		{"TRUNC, the second one held back", ConnectInfo{SyncMode: TRUNC}, []Txn{txn(1, 1), txn(1, 2)}, false, 0},
		{"behind NEWLEADER, logged with it", ConnectInfo{NlRcv: true}, nil, true, 0},
		{"behind NEWLEADER, held back", ConnectInfo{NlRcv: true}, []Txn{txn(1, 2)}, false, 1},
	} {
		s := synchronizing(t, History{}, History{}, History{})
		s.ConnectInfo[0] = c.conn
		for _, x := range c.held {
			s.PacketsSync[0].NotCommitted.Append(x)
		}
		s.Msgs.Send(2, 0, commit)
		take(t, &FollowerProcessCOMMITInSync, &s, Pair{I: 0, J: 2})
		if have := s.PacketsSync[0].Committed.Len(); s.Raised.Has(CommitUnmatched) != c.raises || have != c.commits {
			t.Errorf("%s: raises %v, notes %d commits", c.name, s.Raised.Has(CommitUnmatched), have)
		}
	}
}

// TestQuorumOfNEWLEADER: the leader begins to serve with a quorum of acknowledgements and not
// before. Later servers get UPTODATE at once, and lost ones get none.
func TestQuorumOfNEWLEADER(t *testing.T) {
	t.Parallel()
	if quorumFormed(2, Set(0).With(2)) || quorumFormed(2, Set(0).With(0).With(1)) || !quorumFormed(2, Set(0).With(1).With(2)) {
		t.Error("a quorum holds the leader and is more than half")
	}
	s := synchronizing(t, History{}, History{}, history(txn(1, 1)))
	ack := Msg{Kind: ACKLD, Zxid: epochZxid(s.AcceptedEpoch[2])}
	s.Msgs.Send(0, 2, ack)
	s.Msgs.Send(1, 2, ack)
	take(t, &LeaderProcessACKLD, &s, Pair{I: 2, J: 0})
	if s.ZabState[2] != BROADCAST || s.LastCommitted[2] != 1 || s.Msgs.Len(2, 0) != 1 || s.Msgs.Len(2, 1) != 0 {
		t.Errorf("with a quorum: %v", s)
	}
	take(t, &LeaderProcessACKLD, &s, Pair{I: 2, J: 1})
	if !s.Msgs.Is(2, 1, UPTODATE) {
		t.Error("the third is not told")
	}
}

// TestShutdownAmidNEWLEADER: a follower that loses its leader completes NEWLEADER where it has
// begun with it, and forgets what it holds back where it has not or where it has finished.
func TestShutdownAmidNEWLEADER(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		serving ServingState
		conn    ConnectInfo
		crashed bool
		logs    bool
	}{
		{"before NEWLEADER", SHUTDOWN, ConnectInfo{SyncMode: DIFF}, false, false},
		{"epoch accepted", INITIAL, ConnectInfo{SyncMode: DIFF}, false, true},
		{"epoch accepted, crash", INITIAL, ConnectInfo{SyncMode: DIFF}, true, false},
		{"snapshot taken", SHUTDOWN, ConnectInfo{SyncMode: NEWLEADER}, false, true},
		{"acknowledged", INITIAL, ConnectInfo{NlRcv: true}, false, false},
	} {
		s := synchronizing(t, history(txn(1, 1)), History{}, history(txn(1, 1), txn(1, 2)))
		s.ServingState[0], s.ConnectInfo[0] = c.serving, c.conn
		s.PacketsSync[0].NotCommitted.Append(txn(1, 2))
		s.goLooking(0, c.crashed)
		if logged := s.History[0].Len() == 2; logged != c.logs || !s.PacketsSync[0].NotCommitted.Empty() {
			t.Errorf("%s: logs %v", c.name, logged)
		}
		if s.State[0] != LOOKING || s.LeaderAddr[0] != NullPoint || s.ServingState[0] != SHUTDOWN {
			t.Errorf("%s: is not looking for a leader", c.name)
		}
	}
}
