package zab

// Exceptions at which the code only logs a warning, and continues. Each has a second step, as
// exceptions.go says.
//
//	SyncInOtherPhase   FollowerIgnoresSync: an unknown packet
//	ProposalGapInSync  FollowerHoldsBackAfterGap, -Async; from 3.9.4 on it can give up there
//	ProposalGap        FollowerLogsAfterGap, FollowerLogsAfterGapAsync
//	CommitMismatched   FollowerIgnoresCOMMIT: the proposal stays held back
//	AckUnknown         LeaderIgnoresACK, LeaderIgnoresNextACK
//	CommitNotNext      FollowerExitsAtUPTODATE, -Async: the process exits

// FollowerIgnoresSync drops DIFF, TRUNC or SNAP that reaches follower I outside Synchronization.
//
// ZooKeeper: Follower.processPacket, Follower.java:243-245@3.9.1.
var FollowerIgnoresSync = Action[Pair]{
	Name:   "FollowerIgnoresSync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.follows(p.I, p.J) && s.ZabState[p.I] != SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, DIFF, TRUNC, SNAP)
	},
	Effect: func(s, n *State, p Pair) { n.Msgs.Recv(p.J, p.I, DIFF, TRUNC, SNAP) },
}

// gapInSync reports whether the next message of j is a proposal in Synchronization that does not
// follow the last one queued at follower i.
func (s *State) gapInSync(i, j Server) bool {
	return s.follows(i, j) && s.ZabState[i] == SYNCHRONIZATION && s.Msgs.Is(j, i, PROPOSAL) &&
		!s.Msgs.Peek(j, i, PROPOSAL).Zxid.Follows(s.lastQueued(i))
}

// gapInSyncAsync is gapInSync with the threads of a follower, where the first proposal may be any.
func (s *State) gapInSyncAsync(i, j Server) bool {
	if !s.follows(i, j) || s.ZabState[i] != SYNCHRONIZATION || !s.Msgs.Is(j, i, PROPOSAL) {
		return false
	}
	last := s.lastHeldBack(i)
	return last != (Zxid{}) && !s.Msgs.Peek(j, i, PROPOSAL).Zxid.Follows(last)
}

// throwsAt reports whether follower i, whose last proposal is last, gives up at proposal z. A gap
// to a later epoch is only a warning.
func throwsAt(last, z Zxid) bool {
	return committedLogIsComplete && last != (Zxid{}) && z.Epoch <= last.Epoch
}

// keepBack adds the next proposal of j to what follower i holds back, or makes i give up.
func (n *State) keepBack(i, j Server) {
	if throwsAt(n.PacketsSync[i].NotCommitted.Last().Zxid, n.Msgs.Peek(j, i, PROPOSAL).Zxid) {
		n.loseLearner(j, i, 0)
		return
	}
	m := n.Msgs.Recv(j, i, PROPOSAL)
	n.PacketsSync[i].NotCommitted.Append(Txn{Zxid: m.Zxid, Value: m.Data})
}

// FollowerHoldsBackAfterGap holds a proposal back that does not follow the last one. From 3.9.4 on
// the follower gives up instead, if this Synchronization has brought a proposal of the same epoch.
//
// ZooKeeper: Learner.syncWithLeader, Learner.java:633-639@3.9.1; Learner.enforceContinuousProposal,
// Learner.java:542-562@3.9.5.
var FollowerHoldsBackAfterGap = Action[Pair]{
	Name:   "FollowerHoldsBackAfterGap",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return goesOn && s.gapInSync(p.I, p.J) },
	Effect: func(s, n *State, p Pair) { n.keepBack(p.I, p.J) },
}

// FollowerHoldsBackAfterGapAsync is FollowerHoldsBackAfterGap with the threads of a follower.
//
// ZooKeeper: as FollowerHoldsBackAfterGap.
var FollowerHoldsBackAfterGapAsync = Action[Pair]{
	Name:   "FollowerHoldsBackAfterGapAsync",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return goesOn && s.gapInSyncAsync(p.I, p.J) },
	Effect: func(s, n *State, p Pair) { n.keepBack(p.I, p.J) },
}

// FollowerLogsAfterGap logs and acknowledges a proposal that does not follow the last one.
//
// ZooKeeper: Follower.processPacket, Follower.java:169-175@3.9.1. At 168-174@3.8.0.
var FollowerLogsAfterGap = Action[Pair]{
	Name:   "FollowerLogsAfterGap",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, PROPOSAL) &&
			!s.Msgs.Peek(p.J, p.I, PROPOSAL).Zxid.Follows(s.lastZxid(p.I))
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, PROPOSAL)
		n.logTxn(p.I, Txn{Zxid: m.Zxid, Value: m.Data})
		n.Msgs.Send(p.I, p.J, Msg{Kind: ACK, Zxid: m.Zxid})
	},
}

// FollowerLogsAfterGapAsync is FollowerLogsAfterGap with the threads of a follower.
//
// ZooKeeper: as FollowerLogsAfterGap.
var FollowerLogsAfterGapAsync = Action[Pair]{
	Name:   "FollowerLogsAfterGapAsync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, PROPOSAL) &&
			!s.Msgs.Peek(p.J, p.I, PROPOSAL).Zxid.Follows(s.lastProposed(p.I))
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, PROPOSAL)
		n.logRequest(p.I, Txn{Zxid: m.Zxid, Value: m.Data})
	},
}

// FollowerIgnoresCOMMIT drops a COMMIT after TRUNC or SNAP that is not for the first proposal held
// back. That proposal stays.
//
// ZooKeeper: Learner.syncWithLeader, Learner.java:662-668@3.9.1.
var FollowerIgnoresCOMMIT = Action[Pair]{
	Name:   "FollowerIgnoresCOMMIT",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.follows(p.I, p.J) && s.ZabState[p.I] == SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, COMMIT) &&
			!s.commitIsUnmatched(p.I) && s.commitIsMismatched(p.I, s.Msgs.Peek(p.J, p.I, COMMIT).Zxid)
	},
	Effect: func(s, n *State, p Pair) { n.Msgs.Recv(p.J, p.I, COMMIT) },
}

// LeaderIgnoresACK drops an ACK for a proposal that leader I does not know.
//
// ZooKeeper: Leader.processAck, Leader.java:1033-1037@3.9.1.
var LeaderIgnoresACK = Action[Pair]{
	Name:   "LeaderIgnoresACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.leads(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, ACK) &&
			s.ackIsUnknown(p.I, s.Msgs.Peek(p.J, p.I, ACK).Zxid)
	},
	Effect: func(s, n *State, p Pair) { n.Msgs.Recv(p.J, p.I, ACK) },
}

// LeaderIgnoresNextACK is LeaderIgnoresACK where the first acknowledgement is for NEWLEADER.
//
// ZooKeeper: as LeaderIgnoresACK.
var LeaderIgnoresNextACK = Action[Pair]{
	Name:   "LeaderIgnoresNextACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && isNextACK(s, p) && s.ackIsUnknown(p.I, s.Msgs.Peek(p.J, p.I, ACK, ACKLD).Zxid)
	},
	Effect: func(s, n *State, p Pair) { n.Msgs.Recv(p.J, p.I, ACK, ACKLD) },
}

// FollowerExitsAtUPTODATE ends the process of follower I, which commits with UPTODATE another
// transaction than the first pending one. NodeStart starts it again.
//
// ZooKeeper: Learner.syncWithLeader, Learner.java:795-797@3.9.1; FollowerZooKeeperServer.commit,
// FollowerZooKeeperServer.java:104-109@3.9.1, where requestSystemExit follows.
var FollowerExitsAtUPTODATE = Action[Pair]{
	Name:   "FollowerExitsAtUPTODATE",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, UPTODATE) && s.commitsOutOfOrder(p.I)
	},
	Effect: func(s, n *State, p Pair) { n.exit(p.I, p.J) },
}

// commitsOutOfOrder reports whether UPTODATE makes follower i commit another transaction than the
// first pending one; see commitPackets.
func (s *State) commitsOutOfOrder(i Server) bool {
	c, held, k := &s.PacketsSync[i].Committed, &s.PacketsSync[i].NotCommitted, int(s.InitialHistory[i])
	h := s.History[i]
	for x := 1; x <= held.Len(); x++ {
		if t := held.At(x); !disksApart || h.Find(t) == 0 {
			h.Append(t)
		}
	}
	for x := 1; x <= c.Len() && k+x <= h.Len(); x++ {
		if h.At(k+x).Zxid != c.At(x) {
			return true
		}
	}
	return false
}

// FollowerExitsAtUPTODATEAsync is FollowerExitsAtUPTODATE with the threads of a follower.
//
// ZooKeeper: as FollowerExitsAtUPTODATE.
var FollowerExitsAtUPTODATEAsync = Action[Pair]{
	Name:   "FollowerExitsAtUPTODATEAsync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, UPTODATE) && s.commitsOutOfOrderAsync(p.I)
	},
	Effect: func(s, n *State, p Pair) { n.exit(p.I, p.J) },
}

// commitsOutOfOrderAsync is commitsOutOfOrder with the threads of a follower. Transactions that it
// has handed to be logged come first, and then those that it holds back.
func (s *State) commitsOutOfOrderAsync(i Server) bool {
	c, pending, held := &s.PacketsSync[i].Committed, &s.PendingTxns[i], &s.PacketsSync[i].NotCommitted
	for x := 1; x <= c.Len(); x++ {
		switch k := x - pending.Len(); {
		case k <= 0:
			if pending.At(x) != c.At(x) {
				return true
			}
		case k <= held.Len() && held.At(k).Zxid != c.At(x):
			return true
		}
	}
	return false
}
