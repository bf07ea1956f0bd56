package protocol

import "testing"

// One test for each step of the paper: Junqueira, Reed and Serafini, "Zab: High-performance
// broadcast for primary-backup systems" (DSN 2011). The list of papers_test.go at the root of the
// project has them by their places. Server 0 is the leader, and the server other its follower.

// together is the leader and its follower, connected, in a phase of epoch 1.
func together(t *testing.T, phase ZabState, change func(s *State)) State {
	t.Helper()
	if Servers < 2 || MaxTransactions < 2 || MaxEpochs < 2 {
		t.Skip("the steps are for two servers and two transactions")
	}
	s := initial()
	s.LeaderOracle = 0
	s.switchToLeader(0)
	s.State[other], s.ConnectInfo[other] = FOLLOWING, 0
	s.Learners[0].Add(other)
	s.ZabState[0], s.ZabState[other] = phase, phase
	if phase != DISCOVERY {
		s.AcceptedEpoch[0], s.AcceptedEpoch[other], s.CurrentEpoch[0] = 1, 1, 1
		s.CepochRecv[0].Put(other, Cepoch{Connected: true})
		s.AckeRecv[0].Put(other, Ackepoch{Connected: true})
	}
	if phase == BROADCAST {
		s.CurrentEpoch[other] = 1
		s.AckldRecv[0] = Ackld{Sids: Set(1<<Servers - 1), Connected: s.Learners[0]}
	}
	if change != nil {
		change(&s)
	}
	return s
}

// take takes an enabled step that raises no assertion.
func take[P any](t *testing.T, s State, a *Action[P], p P) State {
	t.Helper()
	if a.Guard != nil && !a.Guard(&s, p) {
		t.Fatalf("%s is not enabled", a.Name)
	}
	n := s
	a.Effect(&s, &n, p)
	if n.Raised != s.Raised {
		t.Fatalf("%s raises an assertion", a.Name)
	}
	return n
}

// received takes the step of i for a message of j.
func received(t *testing.T, s State, a *Action[Pair], i, j Server, m Msg) State {
	t.Helper()
	s.Msgs.Send(j, i, m)
	return take(t, s, a, Pair{I: i, J: j})
}

// wantSent expects a message as the only one from i to j.
func wantSent(t *testing.T, s State, i, j Server, want Msg) {
	t.Helper()
	if s.Msgs.Len(i, j) != 1 || s.Msgs.Head(i, j) != want {
		t.Errorf("from %d to %d there are %d messages; want %+v", i, j, s.Msgs.Len(i, j), want)
	}
}

func check(t *testing.T, ok bool, what string) {
	t.Helper()
	if !ok {
		t.Error(what)
	}
}

// own is a transaction that only the leader is known to have.
func own(x Txn) Txn {
	x.AckSid.Add(0)
	return x
}

// Step f.1.1: a follower sends the last epoch that it has promised to the prospective leader.
func TestFollowerTellsItsPromise(t *testing.T) {
	t.Parallel()
	s := together(t, DISCOVERY, func(s *State) {
		s.ConnectInfo[other] = NullPoint
		s.Learners[0].Remove(other)
		s.AcceptedEpoch[other] = 1
	})
	n := take(t, s, &ConnectAndFollowerSendCEPOCH, Pair{I: 0, J: other})
	wantSent(t, n, other, 0, Msg{Kind: CEPOCH, Epoch: 1})
	s.LeaderOracle = other
	check(t, !ConnectAndFollowerSendCEPOCH.Guard(&s, Pair{I: 0, J: other}), "a follower goes to the leader that the oracle names")
}

// Step l.1.1: with the promises of a quorum the leader proposes an epoch that is later than all of
// them.
func TestNewEpochIsLaterThanThePromises(t *testing.T) {
	t.Parallel()
	s := together(t, DISCOVERY, nil)
	check(t, !s.knowsEpoch(0), "the leader alone is no quorum")
	n := received(t, s, &LeaderProcessCEPOCH, 0, other, Msg{Kind: CEPOCH, Epoch: 1})
	if Servers <= 3 {
		check(t, n.AcceptedEpoch[0] == 2, "epoch 2 is later than 0 and 1")
		wantSent(t, n, 0, other, Msg{Kind: NEWEPOCH, Epoch: 2})
	}
}

// Step f.1.2: a follower that gets a later epoch than it has promised promises that one, and
// answers with its current epoch and its history.
func TestFollowerPromises(t *testing.T) {
	t.Parallel()
	s := together(t, DISCOVERY, func(s *State) { s.AcceptedEpoch[other], s.CurrentEpoch[other], s.History[other] = 1, 1, history(a1) })
	n := received(t, s, &FollowerProcessNEWEPOCH, other, 0, Msg{Kind: NEWEPOCH, Epoch: 2})
	check(t, n.AcceptedEpoch[other] == 2, "the follower promises the epoch")
	wantSent(t, n, other, 0, Msg{Kind: ACKEPOCH, Epoch: 1, History: history(a1)})
	s.AcceptedEpoch[other] = 3
	n = received(t, s, &FollowerProcessNEWEPOCH, other, 0, Msg{Kind: NEWEPOCH, Epoch: 2})
	check(t, n.AcceptedEpoch[other] == 3 && n.State[other] == LOOKING, "it keeps a later promise and gives up the leader")
}

// Step l.1.2: of the histories of a quorum the leader takes one of the latest current epoch, and
// among these one with the latest zxid.
func TestLeaderTakesTheLatestHistory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		epoch      uint8 // of the leader
		have       History
		peerEpoch  uint8
		peer       History
		takesPeers bool
	}{
		{"a later epoch with a shorter history", 1, history(a1, b1), 2, history(a1), true},
		{"an earlier epoch with a longer history", 2, history(a1), 1, history(a1, b1), false},
		{"the same epoch, a later zxid", 1, history(a1), 1, history(a1, b1), true},
		{"the same epoch, an earlier zxid", 1, history(a1, b1), 1, history(a1), false},
	} {
		s := together(t, DISCOVERY, nil)
		s.AckeRecv[0].Put(0, Ackepoch{Connected: true, PeerLastEpoch: c.epoch, PeerHistory: c.have})
		s.AckeRecv[0].Put(other, Ackepoch{Connected: true, PeerLastEpoch: c.peerEpoch, PeerHistory: c.peer})
		want := c.have
		if c.takesPeers {
			want = c.peer
		}
		have := s.newestHistory(0)
		check(t, isPrefix(&have, &want) && have.Len() == want.Len(), c.name)
	}
}

// Step l.2.1: the leader sends its epoch and its initial history to the quorum.
func TestLeaderSendsItsHistory(t *testing.T) {
	t.Parallel()
	s := together(t, DISCOVERY, func(s *State) {
		s.AcceptedEpoch[0] = 2
		s.CepochRecv[0].Put(other, Cepoch{Connected: true})
	})
	n := received(t, s, &LeaderProcessACKEPOCH, 0, other, Msg{Kind: ACKEPOCH, Epoch: 1, History: history(a1)})
	if Servers <= 3 {
		check(t, n.CurrentEpoch[0] == 2 && n.ZabState[0] == SYNCHRONIZATION, "the leader enters the epoch")
		wantSent(t, n, 0, other, Msg{Kind: NEWLEADER, Epoch: 2, History: history(own(a1))})
	}
}

// Step f.2.1: a follower that has promised the epoch enters it, takes over the history and
// acknowledges, all at once. One that has promised another epoch gives up the leader.
func TestFollowerEntersTheEpochAtOnce(t *testing.T) {
	t.Parallel()
	s := together(t, SYNCHRONIZATION, func(s *State) { s.History[other] = history(b1) })
	m := Msg{Kind: NEWLEADER, Epoch: 1, History: history(a1)}
	n := received(t, s, &FollowerProcessNEWLEADER, other, 0, m)
	check(t, n.CurrentEpoch[other] == 1 && n.History[other] == m.History, "epoch and history are the leader's")
	wantSent(t, n, other, 0, Msg{Kind: ACKLD, Zxid: a1.Zxid})
	s.AcceptedEpoch[other] = 2
	n = received(t, s, &FollowerProcessNEWLEADER, other, 0, m)
	check(t, n.State[other] == LOOKING && n.History[other] == s.History[other] && n.CurrentEpoch[other] == 0, "nothing is taken over")
}

// Remix, section 5.4: the two halves of step f.2.1 need not be one step if the history comes first.
// A follower that stops between them has the new history and the old epoch.
func TestHistoryComesBeforeTheEpoch(t *testing.T) {
	t.Parallel()
	s := together(t, SYNCHRONIZATION, nil)
	n := received(t, s, &FollowerUpdateHistory, other, 0, Msg{Kind: NEWLEADER, Epoch: 1, History: history(a1)})
	check(t, n.CurrentEpoch[other] == 0 && n.History[other] == history(a1), "the history alone")
	check(t, n.Msgs.Empty(other, 0), "no acknowledgement yet")
	down := take(t, n, &Restart, One{I: other})
	check(t, down.CurrentEpoch[other] == 0 && down.History[other] == history(a1), "a restart keeps that")
	n = take(t, n, &FollowerUpdateEpoch, Pair{I: other, J: 0})
	check(t, n.CurrentEpoch[other] == 1, "then the epoch")
	wantSent(t, n, other, 0, Msg{Kind: ACKLD, Zxid: a1.Zxid})
}

// Step l.2.2: with the acknowledgements of a quorum the leader tells its followers to deliver.
func TestQuorumEstablishesTheEpoch(t *testing.T) {
	t.Parallel()
	s := together(t, SYNCHRONIZATION, func(s *State) { s.History[0] = history(own(a1)) })
	check(t, !s.isEstablished(0), "the leader alone is no quorum")
	n := received(t, s, &LeaderProcessACKLD, 0, other, Msg{Kind: ACKLD, Zxid: a1.Zxid})
	if Servers <= 3 {
		check(t, n.ZabState[0] == BROADCAST && n.delivered(0) == 1, "the leader delivers its history and broadcasts")
		wantSent(t, n, 0, other, Msg{Kind: COMMITLD, Zxid: a1.Zxid})
	}
}

// Phase 2, the follower's last step: it delivers the initial history in its order.
func TestFollowerDeliversTheInitialHistory(t *testing.T) {
	t.Parallel()
	s := together(t, SYNCHRONIZATION, func(s *State) { s.History[other] = history(a1, b1) })
	n := received(t, s, &FollowerProcessCOMMITLD, other, 0, Msg{Kind: COMMITLD, Zxid: b1.Zxid})
	check(t, n.delivered(other) == 2 && n.deliveredAt(other, a1) == 1 && n.deliveredAt(other, b1) == 2, "both, in order")
	check(t, n.ZabState[other] == BROADCAST, "and turns to Broadcast")
}

// Step l.3.1: the leader proposes in the order of zxids, and all of these have its epoch.
func TestProposalsAreInOrder(t *testing.T) {
	t.Parallel()
	s := together(t, BROADCAST, func(s *State) { s.AckeRecv[0].Put(other, Ackepoch{Connected: true}) })
	n := take(t, s, &LeaderProcessRequest, One{I: 0})
	n = take(t, n, &LeaderProcessRequest, One{I: 0})
	for k := range uint8(2) {
		n = take(t, n, &LeaderBroadcastPROPOSE, One{I: 0})
		wantSent(t, n, 0, other, Msg{Kind: PROPOSE, Zxid: Zxid{Epoch: 1, Counter: k + 1}, Data: k})
		n.Msgs.Pop(0, other)
	}
	check(t, !LeaderBroadcastPROPOSE.Guard(&n, One{I: 0}), "nothing is proposed twice")
}

// Phase 3, the follower's step for a proposal: it appends proposals in the order in which they
// arrive, and acknowledges each.
func TestFollowerAppendsInOrder(t *testing.T) {
	t.Parallel()
	s := together(t, BROADCAST, nil)
	n := received(t, s, &FollowerProcessPROPOSE, other, 0, Msg{Kind: PROPOSE, Zxid: a1.Zxid, Data: a1.Value})
	wantSent(t, n, other, 0, Msg{Kind: ACK, Zxid: a1.Zxid})
	n.Msgs.Pop(other, 0)
	n = received(t, n, &FollowerProcessPROPOSE, other, 0, Msg{Kind: PROPOSE, Zxid: b1.Zxid, Data: b1.Value})
	check(t, n.History[other] == history(a1, b1), "the second one stands after the first")
}

// Step l.3.2: the leader commits a proposal that a quorum has acknowledged, once it has committed
// those before it.
func TestQuorumCommits(t *testing.T) {
	t.Parallel()
	s := together(t, BROADCAST, func(s *State) { s.History[0] = history(own(a1), own(b1)) })
	if Servers > 3 {
		t.Skip("two servers are no quorum")
	}
	n := received(t, s, &LeaderProcessACK, 0, other, Msg{Kind: ACK, Zxid: a1.Zxid})
	check(t, n.delivered(0) == 1, "the first one is committed")
	wantSent(t, n, 0, other, Msg{Kind: COMMIT, Zxid: a1.Zxid})
	n = s
	n.tryToCommit(0, 2)
	check(t, n.delivered(0) == 0, "the second one waits for the first")
}

// Phase 3, the follower's step for a commit: it delivers a transaction after all before it in its
// history.
func TestFollowerDeliversInOrder(t *testing.T) {
	t.Parallel()
	s := together(t, BROADCAST, func(s *State) { s.History[other] = history(a1, b1) })
	n := received(t, s, &FollowerProcessCOMMIT, other, 0, Msg{Kind: COMMIT, Zxid: a1.Zxid})
	check(t, n.delivered(other) == 1, "the first one is delivered")
	n = received(t, n, &FollowerProcessCOMMIT, other, 0, Msg{Kind: COMMIT, Zxid: b1.Zxid})
	check(t, n.delivered(other) == 2, "then the second one")
}

// Steps l.3.3 and l.3.4: a server that comes during Broadcast gets the epoch, and the initial
// history with all that was broadcast since. After its acknowledgement it may deliver.
func TestLatecomerIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	s := together(t, BROADCAST, func(s *State) {
		s.History[0] = history(own(a1))
		s.LastCommitted[0] = Position{Index: 1, Zxid: a1.Zxid}
		if Servers == 2 {
			s.AckeRecv[0].Put(other, Ackepoch{})
		} else {
			for j := range Server(Servers) {
				s.CepochRecv[0].Put(j, Cepoch{})
				s.AckeRecv[0].Put(j, Ackepoch{})
			}
		}
	})
	n := received(t, s, &LeaderProcessCEPOCH, 0, other, Msg{Kind: CEPOCH})
	wantSent(t, n, 0, other, Msg{Kind: NEWEPOCH, Epoch: 1})
	n = received(t, s, &LeaderProcessACKEPOCH, 0, other, Msg{Kind: ACKEPOCH})
	wantSent(t, n, 0, other, Msg{Kind: NEWLEADER, Epoch: 1, History: history(own(a1))})
	n = received(t, s, &LeaderProcessACKLD, 0, other, Msg{Kind: ACKLD, Zxid: a1.Zxid})
	wantSent(t, n, 0, other, Msg{Kind: COMMITLD, Zxid: a1.Zxid})
}

// Section on the state of a process: promises, epochs and histories are on disk and survive.
func TestRestartKeepsWhatIsOnDisk(t *testing.T) {
	t.Parallel()
	s := together(t, BROADCAST, func(s *State) { s.History[other] = history(a1); s.LastCommitted[other] = Position{1, a1.Zxid} })
	n := take(t, s, &Restart, One{I: other})
	check(t, n.AcceptedEpoch[other] == 1 && n.CurrentEpoch[other] == 1 && n.History[other] == history(a1), "the disk survives")
	check(t, n.State[other] == LOOKING && n.delivered(other) == 0, "the memory does not")
}
