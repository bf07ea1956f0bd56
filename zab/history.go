package zab

// Compare orders zxids by epoch, then counter: negative where z comes before y, 0 where they are
// equal.
func (z Zxid) Compare(y Zxid) int {
	if z.Epoch != y.Epoch {
		return int(z.Epoch) - int(y.Epoch)
	}
	return int(z.Counter) - int(y.Counter)
}

// After reports whether z is greater than y.
func (z Zxid) After(y Zxid) bool { return z.Compare(y) > 0 }

// Follows reports whether a proposal z may come directly after y: the next of the epoch, or the
// first of a later one. The zxid of an epoch has counter 0.
func (z Zxid) Follows(y Zxid) bool {
	if z.Counter == 1 && y.Epoch < z.Epoch {
		return true
	}
	return z.Counter > 0 && z.Epoch == y.Epoch && z.Counter == y.Counter+1
}

// epochZxid returns the zxid of NEWLEADER.
func epochZxid(epoch Number) Zxid { return Zxid{epoch, 0} }

// zxidAt returns the zxid at a position of a history; that of position 0 is zero.
func zxidAt(h *History, k int) Zxid {
	if k == 0 {
		return Zxid{}
	}
	return h.At(k).Zxid
}

// atOrBefore returns the last of the first n positions of a history, whose zxids increase, with a
// zxid that is not greater than z; 0 where there is none. It examines the end first: what is far
// back may be folded away.
func atOrBefore(h *History, n int, z Zxid) int {
	low, step := n, 1 // z is not at low+step or after it
	for low > 0 && h.At(low).Zxid.After(z) {
		low = max(low-step, 0)
		step *= 2
	}
	high := min(low+step, n)
	for low < high {
		if mid := (low + high + 1) / 2; h.At(mid).Zxid.After(z) {
			high = mid - 1
		} else {
			low = mid
		}
	}
	return low
}

func (s *State) isOn(i Server) bool       { return s.Status.Has(i) }
func (s *State) isLooking(i Server) bool  { return s.State[i] == LOOKING }
func (s *State) isLeader(i Server) bool   { return s.isOn(i) && s.State[i] == LEADING }
func (s *State) isFollower(i Server) bool { return s.isOn(i) && s.State[i] == FOLLOWING }

// follows reports whether i is a follower that is connected to the leader j.
func (s *State) follows(i, j Server) bool { return s.isFollower(i) && s.LeaderAddr[i] == j }

// leads reports whether i is a leader that is connected to the learner j.
func (s *State) leads(i, j Server) bool { return s.isLeader(i) && s.Learners[i].Has(j) }

// lastZxid returns the zxid of i's last transaction.
func (s *State) lastZxid(i Server) Zxid {
	if disksApart && int(s.LastProcessed[i]) == s.History[i].Len() {
		return s.memoryZxid(i)
	}
	return s.History[i].Last().Zxid
}

// atLeastAsRecent reports whether i wins an election against j: by epoch, last zxid, then identity.
// TLA+: TotalOrderPredicate. ZooKeeper: FastLeaderElection.totalOrderPredicate.
func (s *State) atLeastAsRecent(i, j Server) bool {
	if s.CurrentEpoch[i] != s.CurrentEpoch[j] {
		return s.CurrentEpoch[i] > s.CurrentEpoch[j]
	}
	if c := s.memoryZxid(i).Compare(s.memoryZxid(j)); c != 0 {
		return c > 0
	}
	return i > j
}

// committedByLeader returns the position of the last transaction that leader i considers committed.
// TLA+: LastCommitted.
func (s *State) committedByLeader(i Server) int {
	if s.ZabState[i] == BROADCAST {
		return int(s.LastCommitted[i])
	}
	return int(s.InitialHistory[i])
}

// lastProcessedZxid returns the zxid of the last transaction that i applied.
//
// Deviation: it is the last transaction's also where a server has led and made none. In ZooKeeper
// it is then the beginning of that epoch, as with option epoch_zxids. That hides a vote and an
// ACKEPOCH with this zxid, and a SNAP instead of an empty DIFF or of TRUNC. Next to a running
// server the former is there: see noteServing.
func (s *State) lastProcessedZxid(i Server) Zxid { return s.memoryZxid(i) }

// later returns the greater of two zxids.
func later(a, b Zxid) Zxid {
	if a.After(b) {
		return a
	}
	return b
}
