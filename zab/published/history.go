package published

// Compare orders zxids by epoch, then counter: negative where z comes before y, 0 where they are
// equal. TLA+: ZxidCompare.
func (z Zxid) Compare(y Zxid) int {
	if z.Epoch != y.Epoch {
		return int(z.Epoch) - int(y.Epoch)
	}
	return int(z.Counter) - int(y.Counter)
}

// After reports whether z is greater than y.
func (z Zxid) After(y Zxid) bool { return z.Compare(y) > 0 }

// Follows reports whether a proposal z may come directly after y: the next of the epoch, or the
// first of a later one. TLA+: IsNextZxid.
func (z Zxid) Follows(y Zxid) bool {
	if z.Counter == 1 {
		return y.Epoch < z.Epoch
	}
	return z.Counter > 1 && z.Epoch == y.Epoch && z.Counter == y.Counter+1
}

// epochZxid is the zxid of NEWLEADER.
func epochZxid(epoch Number) Zxid { return Zxid{epoch, 0} }

// zxidAt is the zxid at a position of a history; that of position 0 is zero.
func zxidAt(h *History, k int) Zxid {
	if k == 0 {
		return Zxid{}
	}
	return h.At(k).Zxid
}

// position finds a zxid in a history: 0 for the zero zxid, Len+1 where there is none.
//
// Deviation: ZxidToIndex is -1 for a zxid that occurs twice; I-13 is broken before that can be.
func position(h *History, z Zxid) int {
	if z == (Zxid{}) {
		return 0
	}
	for k := 1; k <= h.Len(); k++ {
		if h.At(k).Zxid == z {
			return k
		}
	}
	return h.Len() + 1
}

// appendAll adds a queue's transactions to a history.
func appendAll(h, q *History) {
	for k := 1; k <= q.Len(); k++ {
		h.Append(q.At(k))
	}
}

func (s *State) isOn(i Server) bool       { return s.Status.Has(i) }
func (s *State) isLooking(i Server) bool  { return s.State[i] == LOOKING }
func (s *State) isLeader(i Server) bool   { return s.isOn(i) && s.State[i] == LEADING }
func (s *State) isFollower(i Server) bool { return s.isOn(i) && s.State[i] == FOLLOWING }

// follows reports whether i is a follower that is connected to the leader j. TLA+: IsMyLeader.
func (s *State) follows(i, j Server) bool { return s.isFollower(i) && s.LeaderAddr[i] == j }

// leads reports whether i is a leader that is connected to the learner j. TLA+: IsMyLearner.
func (s *State) leads(i, j Server) bool { return s.isLeader(i) && s.Learners[i].Has(j) }

// lastZxid is the zxid of i's last transaction. TLA+: LastZxidOfHistory.
func (s *State) lastZxid(i Server) Zxid { return s.History[i].Last().Zxid }

// lastProcessedZxid is the zxid of the last transaction that i applied: lastProcessed.zxid.
func (s *State) lastProcessedZxid(i Server) Zxid {
	return zxidAt(&s.History[i], int(s.LastProcessed[i]))
}

// broadcast sends m to the servers of a set, but not to i itself. TLA+: Broadcast.
func (n *State) broadcast(i Server, to Set, m Msg) {
	for k := range Server(Servers) {
		if k != i && to.Has(k) {
			n.Msgs.Send(i, k, m)
		}
	}
}

// receivedLen is the number of transactions that follower i has, those held back included.
func (s *State) receivedLen(i Server) int {
	return s.History[i].Len() + s.PacketsSync[i].NotCommitted.Len()
}

// received is the k-th transaction that follower i has, from 1, those held back included.
func (s *State) received(i Server, k int) Txn {
	if have := s.History[i].Len(); k > have {
		return s.PacketsSync[i].NotCommitted.At(k - have)
	}
	return s.History[i].At(k)
}

// lastQueued is the zxid of the last transaction that follower i has. TLA+: LastQueued.
func (s *State) lastQueued(i Server) Zxid {
	if k := s.receivedLen(i); k > 0 {
		return s.received(i, k).Zxid
	}
	return Zxid{}
}

// receivedPosition finds a zxid among the transactions that follower i has.
func (s *State) receivedPosition(i Server, z Zxid) int {
	have := s.receivedLen(i)
	for k := 1; k <= have; k++ {
		if s.received(i, k).Zxid == z {
			return k
		}
	}
	return have + 1
}

// committedByLeader is committed of a leader.
func (s *State) committedByLeader(i Server) int {
	if s.ZabState[i] == BROADCAST {
		return int(s.LastCommitted[i])
	}
	return int(s.InitialHistory[i])
}

// committed is the position of the last transaction that i takes for committed. TLA+:
// LastCommitted.
func (s *State) committed(i Server) int {
	switch {
	case s.ZabState[i] == BROADCAST || s.isLooking(i):
		return int(s.LastCommitted[i])
	case s.State[i] == FOLLOWING && !s.PacketsSync[i].Committed.Empty():
		return s.receivedPosition(i, s.PacketsSync[i].Committed.Last())
	case commitsAtOnce && s.State[i] == FOLLOWING:
		return int(max(s.InitialHistory[i], s.LastCommitted[i]))
	}
	return int(s.InitialHistory[i])
}
