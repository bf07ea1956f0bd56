package zab

// LeaderSyncFollower sends a learner what it lacks, and NEWLEADER, once a quorum has acknowledged the epoch.
//
// Paper: Zab phase 2, step l.2.1. TLA+: LeaderSyncFollower. ZooKeeper: LearnerHandler.syncFollower, Leader.startForwarding.
var LeaderSyncFollower = Action[Pair]{
	Name:   "LeaderSyncFollower",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		e := &s.Electing[p.I]
		return s.leads(p.I, p.J) && e.Has(p.J) && e.At(p.J).PeerLastZxid != Synced() && s.electionFinished(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		e := s.Electing[p.I].At(p.J)
		n.syncFollower(p.I, p.J, e.PeerLastZxid)
		n.Electing[p.I].Put(p.J, Elector{PeerLastZxid: Synced(), InQuorum: e.InQuorum})
	},
}

// electionFinished reports whether a quorum with leader i itself has acknowledged its epoch: Leader.electionFinished.
func (s *State) electionFinished(i Server) bool {
	q := Set(0)
	for k := range Server(Servers) {
		if s.Electing[i].Has(k) && s.Electing[i].At(k).InQuorum {
			q.Add(k)
		}
	}
	return q.Has(i) && q.IsQuorum(Servers)
}

// FollowerProcessSyncMessage opens Synchronization: DIFF keeps the follower's history, TRUNC cuts it, SNAP puts a copy of the
// leader's into memory, which reaches the disk with NEWLEADER.
//
// Paper: Zab phase 2, before step f.2.1. TLA+: FollowerProcessSyncMessage. ZooKeeper: Learner.syncWithLeader,
// Learner.java:553-607@3.9.1.
var FollowerProcessSyncMessage = Action[Pair]{
	Name:   "FollowerProcessSyncMessage",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, DIFF, TRUNC, SNAP)
	},
	Effect: func(s, n *State, p Pair) { n.openSync(p.I, p.J) },
}

// openSync takes the opening message of j, the leader of i. It reports whether i can go on.
func (s *State) openSync(i, j Server) bool {
	m := s.Msgs.Recv(j, i, DIFF, TRUNC, SNAP)
	if s.ZabState[i] != SYNCHRONIZATION {
		s.Raised.Raise(SyncInOtherPhase)
		return false
	}
	s.ConnectInfo[i].SyncMode = m.Kind
	switch m.Kind {
	case TRUNC:
		return s.truncate(i, m.Zxid)
	case SNAP:
		s.InitialHistory[i] = Number(position(&s.History[j], m.Zxid))
		s.LastCommitted[i] = 0
	}
	return true
}

// truncate cuts i's history behind z, and reports whether it has z. ZooKeeper: ZKDatabase.truncateLog.
func (s *State) truncate(i Server, z Zxid) bool {
	s.readLog(i)
	h := &s.History[i]
	k := position(h, z)
	if k > h.Len() {
		s.Raised.Raise(CannotTruncate)
		return false
	}
	h.Truncate(k)
	for x := k; x < len(s.AckSid[i]); x++ {
		s.AckSid[i][x] = 0
	}
	s.InitialHistory[i] = Number(k)
	s.LastProcessed[i] = Number(k)
	s.LastCommitted[i] = min(s.LastCommitted[i], Number(k))
	return true
}

// FollowerProcessPROPOSALInSync holds a proposal back.
//
// TLA+: FollowerProcessPROPOSALInSync. ZooKeeper: Learner.syncWithLeader, Learner.java:626-648@3.9.1.
var FollowerProcessPROPOSALInSync = Action[Pair]{
	Name:   "FollowerProcessPROPOSALInSync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, PROPOSAL)
	},
	Effect: func(s, n *State, p Pair) { n.holdBack(p.I, p.J) },
}

// holdBack keeps the next proposal of j, the leader of i, and reports whether i can go on.
func (s *State) holdBack(i, j Server) bool {
	m := s.Msgs.Recv(j, i, PROPOSAL)
	if !m.Zxid.Follows(s.lastQueued(i)) {
		s.Raised.Raise(ProposalGapInSync)
		return false
	}
	s.PacketsSync[i].NotCommitted.Append(Txn{Zxid: m.Zxid, Value: m.Data})
	return true
}

// FollowerProcessCOMMITInSync notes a commit. Before NEWLEADER in a TRUNC or SNAP it is applied in memory, else it waits for
// UPTODATE; in both cases the code looks at the first proposal held back and throws if there is none (ZOOKEEPER-4394).
//
// TLA+: FollowerProcessCOMMITInSync. ZooKeeper: Learner.syncWithLeader, Learner.java:649-677@3.9.1.
var FollowerProcessCOMMITInSync = Action[Pair]{
	Name:   "FollowerProcessCOMMITInSync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, COMMIT)
	},
	Effect: func(s, n *State, p Pair) { n.noteCommit(p.I, p.J) },
}

// noteCommit takes the next COMMIT of j, the leader of i, and reports whether i can go on.
func (s *State) noteCommit(i, j Server) bool {
	m := s.Msgs.Recv(j, i, COMMIT)
	q := &s.PacketsSync[i]
	first := s.applied(i) + 1
	if first > q.NotCommitted.Len() && !(matchesLogged && s.ConnectInfo[i].NlRcv) {
		s.Raised.Raise(CommitUnmatched)
		return false
	}
	if s.appliesInMemory(i) && q.NotCommitted.At(first).Zxid != m.Zxid {
		s.Raised.Raise(CommitMismatched)
		return false
	}
	q.Committed.Append(m.Zxid)
	return true
}

// appliesInMemory reports whether follower i applies what is committed before it logs it: !writeToTxnLog.
func (s *State) appliesInMemory(i Server) bool {
	c := &s.ConnectInfo[i]
	return !c.NlRcv && (c.SyncMode == TRUNC || c.SyncMode == SNAP)
}

// applied is the number of transactions held back that follower i has already applied.
func (s *State) applied(i Server) int {
	if s.appliesInMemory(i) {
		return s.PacketsSync[i].Committed.Len()
	}
	return 0
}

// FollowerProcessNEWLEADER accepts the epoch and logs what is held back, in one step, and acknowledges.
//
// Paper: Zab phase 2, step f.2.1; figure 2 of Remix. TLA+: FollowerProcessNEWLEADER. ZooKeeper: Learner.syncWithLeader,
// Learner.java:732-770@3.9.1.
//
// Deviation: epoch and history change together, as in Zab, and ACK of NEWLEADER is sent before those of the proposals.
var FollowerProcessNEWLEADER = Action[Pair]{
	Name:   "FollowerProcessNEWLEADER",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER)
	},
	Effect: func(s, n *State, p Pair) { n.acceptNEWLEADER(p.I, p.J) },
}

// acceptNEWLEADER takes NEWLEADER of j, the leader of i, and acknowledges it.
func (s *State) acceptNEWLEADER(i, j Server) {
	s.takeSnapshot(i)
	if logsAtOnce {
		s.logHeldBack(i)
	}
	s.CurrentEpoch[i] = s.AcceptedEpoch[i]
	s.ServingState[i] = INITIAL
	s.acknowledgeNEWLEADER(i, j)
}

// takeSnapshot writes to disk what follower i has in memory only: its leader's snapshot, and what was committed since TRUNC
// or SNAP. These are not logged (again), nor acknowledged. ZooKeeper: ZooKeeperServer.takeSnapshot.
func (s *State) takeSnapshot(i Server) {
	if !s.appliesInMemory(i) {
		return
	}
	old := s.History[i]
	if s.inSnapshot(i) {
		s.History[i] = s.base(i).Prefix(s.baseLen(i))
	}
	s.logCommitted(i)
	s.coverLog(i, old)
	s.ConnectInfo[i].SyncMode = NEWLEADER
}

// logCommitted moves those of the transactions that follower i holds back that are committed to its history, as applied.
func (s *State) logCommitted(i Server) {
	q := &s.PacketsSync[i]
	for !q.Committed.Empty() {
		s.appendToLog(i, q.NotCommitted.PopFront())
		q.Committed.PopFront()
	}
	s.InitialHistory[i] = Number(s.History[i].Len())
	s.LastProcessed[i] = s.InitialHistory[i]
}

// acknowledgeNEWLEADER logs what is held back and acknowledges NEWLEADER, then each transaction.
func (s *State) acknowledgeNEWLEADER(i, j Server) {
	m := s.Msgs.Recv(j, i, NEWLEADER)
	s.ConnectInfo[i] = ConnectInfo{NlRcv: true}
	s.Msgs.Send(i, j, Msg{Kind: ACKLD, Zxid: m.Zxid})
	switch {
	case logsAtUPTODATE:
		s.ServingState[i] = SHUTDOWN
	case logsAtOnce:
		s.acknowledgeLogged(i, j)
	default:
		s.logPackets(i, j)
	}
}

// logPackets moves the transactions held back to the history and acknowledges each. ZooKeeper: FollowerZooKeeperServer.logRequest,
// SendAckRequestProcessor.
func (s *State) logPackets(i, j Server) {
	q := &s.PacketsSync[i].NotCommitted
	for k := 1; k <= q.Len(); k++ {
		s.Msgs.Send(i, j, Msg{Kind: ACK, Zxid: q.At(k).Zxid})
	}
	appendAll(&s.History[i], q)
	q.Clear()
}

// LeaderProcessACKLD counts an acknowledgement of NEWLEADER. With a quorum the leader commits its history, starts to serve and
// tells those who have acknowledged, with UPTODATE; later ones are told at once.
//
// Paper: Zab phase 2, step l.2.2. TLA+: LeaderProcessACKLD. ZooKeeper: Leader.waitForNewLeaderAck, Leader.startZkServer.
var LeaderProcessACKLD = Action[Pair]{
	Name:   "LeaderProcessACKLD",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, ACKLD)
	},
	Effect: func(s, n *State, p Pair) {
		n.waitForNewLeaderAck(p.I, p.J, n.Msgs.Recv(p.J, p.I, ACKLD).Zxid)
	},
}

// waitForNewLeaderAck counts j's acknowledgement of NEWLEADER to leader i, with zxid z.
func (s *State) waitForNewLeaderAck(i, j Server, z Zxid) {
	uptodate := Msg{Kind: UPTODATE, Zxid: epochZxid(s.AcceptedEpoch[i])}
	acks := &s.AckldRecv[i]
	if quorumFormed(i, acks.Sids) {
		s.Msgs.Send(i, j, uptodate)
		return
	}
	if z != uptodate.Zxid {
		s.Raised.Raise(AckOtherEpoch)
		return
	}
	acks.Sids.Add(j)
	acks.Connected.Add(j)
	if quorumFormed(i, acks.Sids) {
		s.startZkServer(i)
		s.broadcast(i, acks.Connected.Intersect(s.Learners[i]), uptodate)
	}
}

func quorumFormed(i Server, acks Set) bool { return acks.Has(i) && acks.IsQuorum(Servers) }

// startZkServer takes leader i to Broadcast: all its history counts as committed.
func (s *State) startZkServer(i Server) {
	if Beside {
		s.ServedEpoch[i] = s.AcceptedEpoch[i]
	}
	s.LastCommitted[i] = Number(s.History[i].Len())
	s.LastProcessed[i] = s.LastCommitted[i]
	s.ZabState[i] = BROADCAST
	s.ServingState[i] = RUNNING
	s.InitialHistory[i] = 0
}

// FollowerProcessUPTODATE logs and commits what has come behind NEWLEADER, and starts to serve.
//
// Paper: Zab phase 2, step f.2.2. TLA+: FollowerProcessUPTODATE. ZooKeeper: Learner.syncWithLeader, Learner.java:717-731 and
// 773-798@3.9.1, FollowerZooKeeperServer.commit.
//
// Deviation: ZooKeeper acknowledges UPTODATE too, with the zxid of the epoch, which the leader ignores.
var FollowerProcessUPTODATE = Action[Pair]{
	Name:   "FollowerProcessUPTODATE",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, UPTODATE)
	},
	Effect: func(s, n *State, p Pair) { n.acceptUPTODATE(p.I, p.J) },
}

// acceptUPTODATE takes UPTODATE of j, the leader of i, which serves from now on.
func (s *State) acceptUPTODATE(i, j Server) {
	s.Msgs.Recv(j, i, UPTODATE)
	s.logPackets(i, j)
	s.commitPackets(i)
	s.PacketsSync[i] = Packets{}
	s.ZabState[i] = BROADCAST
	s.ServingState[i] = RUNNING
	s.InitialHistory[i] = 0
}

// commitPackets commits, behind the transactions with which follower i began, those of packetsCommitted, in order. All
// transactions are logged. ZooKeeper: FollowerZooKeeperServer.commit, FollowerZooKeeperServer.java:96-111@3.9.1.
func (s *State) commitPackets(i Server) {
	k := int(s.InitialHistory[i])
	c := &s.PacketsSync[i].Committed
	for x := 1; x <= c.Len() && k < s.History[i].Len(); x++ {
		if s.History[i].At(k+1).Zxid != c.At(x) {
			s.Raised.Raise(CommitNotNext)
			return
		}
		k++
	}
	s.LastCommitted[i] = Number(k)
	s.LastProcessed[i] = Number(k)
}
