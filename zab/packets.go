package zab

// inSnapshot reports whether follower i has a snapshot of its leader in memory that it has not yet
// written to disk.
func (s *State) inSnapshot(i Server) bool {
	return Snap && s.ConnectInfo[i].SyncMode == SNAP && !s.ConnectInfo[i].NlRcv
}

// base returns the history that packets of Synchronization extend: the follower's own, or what its
// leader's snapshot holds.
//
// Deviation: the snapshot is not in the message. While the connection stands a leader only adds to
// its history, so its first InitialHistory[i] transactions are the snapshot. That hides nothing.
func (s *State) base(i Server) *History {
	if s.inSnapshot(i) {
		return &s.History[s.LeaderAddr[i]]
	}
	return &s.History[i]
}

// baseLen returns the number of transactions in base.
func (s *State) baseLen(i Server) int {
	if s.inSnapshot(i) {
		return int(s.InitialHistory[i])
	}
	return s.History[i].Len()
}

// receivedLen returns the number of transactions that follower i has, those held back included.
func (s *State) receivedLen(i Server) int { return s.baseLen(i) + s.PacketsSync[i].NotCommitted.Len() }

// received returns the k-th transaction that follower i has, from 1, those held back included.
func (s *State) received(i Server, k int) Txn {
	if n := s.baseLen(i); k > n {
		return s.PacketsSync[i].NotCommitted.At(k - n)
	}
	return s.base(i).At(k)
}

// lastQueued returns the zxid of the last transaction that follower i has. TLA+: LastQueued.
// ZooKeeper: Learner.lastQueued.
func (s *State) lastQueued(i Server) Zxid {
	if k := s.receivedLen(i); k > 0 {
		return s.received(i, k).Zxid
	}
	return Zxid{}
}

// cannotTruncate reports whether i cannot truncate its log to z. With disks apart that is so where
// it has no log; see truncateDisk.
func (s *State) cannotTruncate(i Server, z Zxid) bool {
	switch {
	case NodeSteps:
		return z.Counter > 0 && position(&s.Disks[i].Log, z) > s.Disks[i].Log.Len()
	case disksApart:
		return !truncatesLog && s.Disks[i].Log.Empty()
	}
	return position(&s.History[i], z) > s.History[i].Len()
}

// commitIsUnmatched reports whether a COMMIT finds no proposal that follower i holds back.
func (s *State) commitIsUnmatched(i Server) bool {
	if matchesNoCommit && !s.appliesInMemory(i) {
		return false
	}
	return s.applied(i) >= s.PacketsSync[i].NotCommitted.Len() && !(matchesLogged && s.ConnectInfo[i].NlRcv)
}

// appliesInMemory reports whether follower i applies what is committed before it logs it:
// !writeToTxnLog.
func (s *State) appliesInMemory(i Server) bool {
	c := &s.ConnectInfo[i]
	return !c.NlRcv && (c.SyncMode == TRUNC || c.SyncMode == SNAP)
}

// applied returns the number of transactions held back that follower i has already applied.
func (s *State) applied(i Server) int {
	if s.appliesInMemory(i) {
		return s.PacketsSync[i].Committed.Len()
	}
	return 0
}

// commitIsMismatched reports whether a COMMIT of z is not for the first proposal that follower i
// would apply in memory.
func (s *State) commitIsMismatched(i Server, z Zxid) bool {
	return s.appliesInMemory(i) && s.PacketsSync[i].NotCommitted.At(s.applied(i)+1).Zxid != z
}

// hasToLog reports whether NEWLEADER has something to log at follower i.
func (s *State) hasToLog(i Server) bool {
	if logsAtUPTODATE {
		return false
	}
	if commitsFirst {
		return !s.PacketsSync[i].Committed.Empty()
	}
	return !s.PacketsSync[i].NotCommitted.Empty()
}

// logsFirst reports whether follower i has something to log before it accepts the epoch.
func (s *State) logsFirst(i Server) bool {
	return epochLast && !s.appliesInMemory(i) && s.hasToLog(i)
}

// amidNEWLEADER reports whether follower i has begun with NEWLEADER and not yet acknowledged it: it
// notices only then that its leader has gone.
func (s *State) amidNEWLEADER(i Server) bool {
	return !s.ConnectInfo[i].NlRcv && s.State[i] == FOLLOWING &&
		(s.ServingState[i] == INITIAL || s.ConnectInfo[i].SyncMode == NEWLEADER)
}
