package zab

// LeaderProcessRequest takes a client's write, logs it and proposes it.
//
// Paper: Zab phase 3, step l.3.1. TLA+: LeaderProcessRequest. ZooKeeper: ProposalRequestProcessor.processRequest,
// Leader.propose.
//
// Deviation: only the leader takes requests, and it has logged and acknowledged its proposal at once.
var LeaderProcessRequest = Action[One]{
	Name:   "LeaderProcessRequest",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isLeader(p.I) && s.ZabState[p.I] == BROADCAST && (besideNode || s.History[p.I].Len() < MaxTransactions)
	},
	Effect: func(s, n *State, p One) { n.propose(p.I) },
}

// propose is what leader i does with a client's write.
func (s *State) propose(i Server) {
	z := s.lastZxid(i)
	if z.Epoch == s.CurrentEpoch[i] {
		z.Counter++
	} else {
		z = Zxid{s.CurrentEpoch[i], 1}
	}
	t := Txn{Zxid: z, Value: Number(s.ClientRequest)}
	s.ClientRequest++
	s.AckSid[i][s.freeSlot(i)] = Set(0).With(i)
	s.History[i].Append(t)
	s.broadcast(i, s.receivers(i), Msg{Kind: PROPOSAL, Zxid: z, Data: t.Value})
}

// FollowerProcessPROPOSAL logs a proposal and acknowledges it.
//
// Paper: Zab phase 3, step f.3.1. TLA+: FollowerProcessPROPOSAL. ZooKeeper: Follower.processPacket, Follower.java:160-193@3.9.1.
var FollowerProcessPROPOSAL = Action[Pair]{
	Name:   "FollowerProcessPROPOSAL",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, PROPOSAL)
	},
	Effect: func(s, n *State, p Pair) { n.logProposal(p.I, p.J) },
}

// logProposal takes the next proposal of j, the leader of i: it is logged and acknowledged, unless it does not follow.
func (s *State) logProposal(i, j Server) bool {
	m := s.Msgs.Recv(j, i, PROPOSAL)
	if !m.Zxid.Follows(s.lastZxid(i)) {
		s.Raised.Raise(ProposalGap)
		return false
	}
	s.History[i].Append(Txn{Zxid: m.Zxid, Value: m.Data})
	s.Msgs.Send(i, j, Msg{Kind: ACK, Zxid: m.Zxid})
	return true
}

// LeaderProcessACK counts an acknowledgement of a proposal and commits it once a quorum has acknowledged it and all before it
// are committed.
//
// Paper: Zab phase 3, step l.3.2. TLA+: LeaderProcessACK, LeaderTryToCommit. ZooKeeper: Leader.processAck, Leader.tryToCommit.
//
// ZooKeeper's LearnerHandler reads no ACK before UPTODATE.
var LeaderProcessACK = Action[Pair]{
	Name:   "LeaderProcessACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, ACK)
	},
	Effect: func(s, n *State, p Pair) { n.processAck(p.I, p.J, n.Msgs.Recv(p.J, p.I, ACK).Zxid) },
}

// processAck counts j's acknowledgement of z to leader i.
func (s *State) processAck(i, j Server, z Zxid) {
	h := &s.History[i]
	done := s.committedByLeader(i)
	if z.Counter == 0 || done == h.Len() || !z.After(zxidAt(h, done)) {
		return // it is of UPTODATE, nothing is outstanding, or this one is committed
	}
	k := position(h, z)
	if k > h.Len() {
		s.Raised.Raise(AckUnknown)
		return
	}
	s.AckSid[i][ackSlot(k)].Add(j)
	s.tryToCommit(i, k)
}

// tryToCommit commits i's k-th transaction, which is outstanding, if it may. ZooKeeper: Leader.tryToCommit,
// Leader.java:913-982@3.9.1.
//
// Deviation: the code warns where it commits out of order. Here what is outstanding is all behind LastCommitted, so it cannot.
func (s *State) tryToCommit(i Server, k int) {
	if int(s.LastCommitted[i]) != k-1 || !s.AckSid[i][ackSlot(k)].IsQuorum(Servers) {
		return
	}
	s.AckSid[i][ackSlot(k)] = 0 // it is outstanding no more
	s.LastCommitted[i] = Number(k)
	s.LastProcessed[i] = Number(k)
	s.broadcast(i, s.receivers(i), Msg{Kind: COMMIT, Zxid: s.History[i].At(k).Zxid})
}

// FollowerProcessCOMMIT commits the first pending transaction.
//
// Paper: Zab phase 3, step f.3.2. TLA+: FollowerProcessCOMMIT. ZooKeeper: Follower.processPacket, FollowerZooKeeperServer.commit,
// FollowerZooKeeperServer.java:96-111@3.9.1.
var FollowerProcessCOMMIT = Action[Pair]{
	Name:   "FollowerProcessCOMMIT",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, COMMIT)
	},
	Effect: func(s, n *State, p Pair) { n.commitNext(p.I, p.J) },
}

// commitNext takes the next COMMIT of j, the leader of i.
func (s *State) commitNext(i, j Server) {
	z := s.Msgs.Recv(j, i, COMMIT).Zxid
	k := s.LastCommitted[i] + 1
	if int(k) > s.History[i].Len() {
		return // nothing is pending: a warning in the log
	}
	if s.History[i].At(int(k)).Zxid != z {
		s.Raised.Raise(CommitNotNext)
		return
	}
	s.LastCommitted[i] = k
	s.LastProcessed[i] = k
}
