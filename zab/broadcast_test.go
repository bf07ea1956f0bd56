package zab

import (
	"slices"
	"testing"
)

// broadcasting returns a state in which server 2 leads epoch 1, all are in Broadcast, and two
// transactions are proposed to all and logged by none but the leader.
func broadcasting(t *testing.T) State {
	t.Helper()
	s := serving(t)
	take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 1})
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 1, J: 2})
	take(t, &FollowerProcessNEWLEADER, &s, Pair{I: 1, J: 2})
	take(t, &LeaderProcessACKLD, &s, Pair{I: 2, J: 1})
	take(t, &FollowerProcessUPTODATE, &s, Pair{I: 1, J: 2})
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	return s
}

// TestRequests: zxids count up from 1 in the leader's epoch, and the bound of transactions is kept.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := broadcasting(t)
	if h := s.History[2]; h.At(1).Zxid != (Zxid{1, 1}) || h.At(2).Zxid != (Zxid{1, 2}) || h.At(1).Value == h.At(2).Value {
		t.Errorf("the leader has %v", h)
	}
	if LeaderProcessRequest.Guard(&s, One{I: 2}) {
		t.Error("the bound of transactions is not kept")
	}
}

// TestCommit: a transaction is committed with a quorum of acknowledgements, in order and once, and
// all followers get COMMIT.
func TestCommit(t *testing.T) {
	t.Parallel()
	s := broadcasting(t)
	for range 2 {
		take(t, &FollowerProcessPROPOSAL, &s, Pair{I: 0, J: 2})
		take(t, &FollowerProcessPROPOSAL, &s, Pair{I: 1, J: 2})
	}
	take(t, &LeaderProcessACK, &s, Pair{I: 2, J: 0})
	if s.LastCommitted[2] != 1 || !s.Msgs.Is(2, 0, COMMIT) || !s.Msgs.Is(2, 1, COMMIT) {
		t.Error("a quorum does not commit")
	}
	take(t, &LeaderProcessACK, &s, Pair{I: 2, J: 1})
	if s.LastCommitted[2] != 1 || s.Msgs.Len(2, 1) != 1 {
		t.Error("a late acknowledgement commits again")
	}
	take(t, &LeaderProcessACK, &s, Pair{I: 2, J: 1})
	take(t, &FollowerProcessCOMMIT, &s, Pair{I: 1, J: 2})
	take(t, &FollowerProcessCOMMIT, &s, Pair{I: 1, J: 2})
	if s.LastCommitted[2] != 2 || s.LastCommitted[1] != 2 || s.LastCommitted[0] != 0 {
		t.Errorf("committed: %v", s.LastCommitted)
	}
}

// TestAcksOutOfOrder: a transaction is not committed before the one ahead of it.
func TestAcksOutOfOrder(t *testing.T) {
	t.Parallel()
	s := broadcasting(t)
	s.Msgs.Send(0, 2, Msg{Kind: ACK, Zxid: Zxid{1, 2}})
	take(t, &LeaderProcessACK, &s, Pair{I: 2, J: 0})
	if s.LastCommitted[2] != 0 || s.AckSid[2][1] != Set(0).With(0).With(2) {
		t.Errorf("committed %d, acknowledged by %v", s.LastCommitted[2], s.AckSid[2])
	}
	s.Msgs.Send(0, 2, Msg{Kind: ACK, Zxid: epochZxid(1)})
	before := s
	take(t, &LeaderProcessACK, &s, Pair{I: 2, J: 0})
	if s.AckSid != before.AckSid || s.Raised != before.Raised {
		t.Error("the acknowledgement of UPTODATE counts")
	}
}

// TestRaised: each of the code's own checks, where a message breaks it.
func TestRaised(t *testing.T) {
	t.Parallel()
	link, back := Pair{I: 0, J: 2}, Pair{I: 2, J: 0}
	for _, c := range []struct {
		raises Assertion
		msg    Msg
		action *Action[Pair]
		from   func(s *State) // changes a state in which all serve
	}{
		{SyncInOtherPhase, Msg{Kind: DIFF}, &FollowerProcessSyncMessage, nil},
		{CannotTruncate, Msg{Kind: TRUNC, Zxid: Zxid{1, 1}}, &FollowerProcessSyncMessage,
			func(s *State) { s.ZabState[0] = SYNCHRONIZATION }},
		{AckOtherEpoch, Msg{Kind: ACKLD, Zxid: epochZxid(2)}, &LeaderProcessACKLD,
			func(s *State) { s.AckldRecv[2] = Contacts{} }},
		{AckUnknown, Msg{Kind: ACK, Zxid: Zxid{1, 3}}, &LeaderProcessACK, nil},
		{ProposalGapInSync, Msg{Kind: PROPOSAL, Zxid: Zxid{1, 2}}, &FollowerProcessPROPOSALInSync,
			func(s *State) { s.ZabState[0] = SYNCHRONIZATION }},
		{ProposalGap, Msg{Kind: PROPOSAL, Zxid: Zxid{1, 2}}, &FollowerProcessPROPOSAL, nil},
		{CommitUnmatched, Msg{Kind: COMMIT, Zxid: Zxid{1, 1}}, &FollowerProcessCOMMITInSync,
			func(s *State) { s.ZabState[0] = SYNCHRONIZATION }},
		{CommitNotNext, Msg{Kind: COMMIT, Zxid: Zxid{1, 2}}, &FollowerProcessCOMMIT,
			func(s *State) { s.History[0] = s.History[2] }},
		{CommitMismatched, Msg{Kind: COMMIT, Zxid: Zxid{1, 1}}, &FollowerProcessCOMMITInSync, func(s *State) {
			s.ZabState[0], s.ConnectInfo[0] = SYNCHRONIZATION, ConnectInfo{SyncMode: TRUNC}
			s.PacketsSync[0].NotCommitted.Append(txn(1, 2))
		}},
	} {
		s := broadcasting(t)
		s.Msgs.Clear(2, 0)
		if c.from != nil {
			c.from(&s)
		}
		p := link
		if c.msg.Kind == ACK || c.msg.Kind == ACKLD {
			p = back
		}
		s.Msgs.Send(p.J, p.I, c.msg)
		take(t, c.action, &s, p)
		if !s.Raised.Has(c.raises) {
			t.Errorf("assertion %d is not raised", c.raises)
		}
	}
}

// TestCommitPacketsOutOfOrder: what UPTODATE commits must be what follows in the log; commits
// without a transaction are passed over.
func TestCommitPacketsOutOfOrder(t *testing.T) {
	t.Parallel()
	s := broadcasting(t)
	s.History[0] = history(txn(1, 1), txn(1, 2))
	s.InitialHistory[0], s.LastCommitted[0] = 1, 0
	s.PacketsSync[0].Committed.Append(Zxid{1, 2})
	ok := s
	ok.commitPackets(0)
	if ok.LastCommitted[0] != 2 || ok.Raised.Has(CommitNotNext) {
		t.Error("the next one is not committed")
	}
	bad := s
	bad.PacketsSync[0].Committed.Clear()
	bad.PacketsSync[0].Committed.Append(Zxid{1, 1})
	bad.commitPackets(0)
	if !bad.Raised.Has(CommitNotNext) {
		t.Error("one that is not the next is committed")
	}
	s.InitialHistory[0] = 2
	s.commitPackets(0)
	if s.LastCommitted[0] != 2 || s.Raised.Has(CommitNotNext) {
		t.Error("one without a transaction is not passed over")
	}
}

// TestRestart: a server keeps what is on its disk, and refuses to run if its epoch is too old.
func TestRestart(t *testing.T) {
	t.Parallel()
	s := broadcasting(t)
	take(t, &NodeCrash, &s, Crash{I: 2})
	if !slices.Equal(s.State[:], []ServerState{LOOKING, LOOKING, LOOKING}) || s.Msgs.Len(2, 0) != 0 {
		t.Error("the learners of a leader that crashes go on")
	}
	before := s
	take(t, &NodeStart, &s, One{I: 2})
	if s.History[2] != before.History[2] || s.CurrentEpoch[2] != 1 || s.AcceptedEpoch[2] != 1 || s.LastProcessed[2] != 2 {
		t.Error("a restart loses what is on disk")
	}
	s = before
	s.CurrentEpoch[2] = 0
	take(t, &NodeStart, &s, One{I: 2})
	if !s.Raised.Has(EpochBehind) {
		t.Error("an epoch that is behind is not noticed")
	}
}

// TestTmp: only a crash that comes while the epoch of NEWLEADER is written leaves it in
// currentEpoch.tmp. A server reads it only where the disk holds a transaction of a later epoch than
// the accepted one.
func TestTmp(t *testing.T) {
	t.Parallel()
	s := broadcasting(t)
	s.State[0], s.ServingState[0], s.LeaderAddr[0] = FOLLOWING, SHUTDOWN, 2
	s.AcceptedEpoch[0], s.CurrentEpoch[0] = 2, 0
	s.History[0] = s.History[2]
	s.Msgs.Clear(2, 0)
	if NodeCrash.Guard(&s, Crash{I: 0, Tmp: true}) {
		t.Error("an epoch is left before NEWLEADER is there")
	}
	s.Msgs.Send(2, 0, Msg{Kind: NEWLEADER})
	accepted := s
	accepted.CurrentEpoch[0] = 2
	if NodeCrash.Guard(&accepted, Crash{I: 0, Tmp: true}) {
		t.Error("an epoch is left that is not needed")
	}
	take(t, &NodeCrash, &s, Crash{I: 0, Tmp: true})
	take(t, &NodeStart, &s, One{I: 0})
	if s.Raised.Has(EpochBehind) || s.CurrentEpoch[0] != 2 {
		t.Errorf("currentEpoch.tmp is not read: epoch %d", s.CurrentEpoch[0])
	}
}

// TestLoseLearner: a leader that keeps a quorum continues without the learner.
func TestLoseLearner(t *testing.T) {
	t.Parallel()
	s := broadcasting(t)
	take(t, &PartitionStart, &s, Pair{I: 2, J: 0})
	if s.State[2] != LEADING || s.State[1] != FOLLOWING || s.State[0] != LOOKING || s.Learners[2].Has(0) || s.Forwarding[2].Has(0) {
		t.Errorf("%v, learners %v", s.State, s.Learners[2])
	}
	if s.AckldRecv[2].Connected.Has(0) || !s.AckldRecv[2].Sids.Has(0) {
		t.Errorf("acknowledgements of NEWLEADER: %v", s.AckldRecv[2])
	}
	s.Msgs.Send(2, 0, Msg{Kind: COMMIT})
	if !s.Msgs.Empty(2, 0) {
		t.Error("a message passes a partition")
	}
	take(t, &NodeCrash, &s, Crash{I: 1})
	if s.State[2] != LOOKING || s.Learners[2] != 0 {
		t.Error("a leader goes on without a quorum")
	}
}
