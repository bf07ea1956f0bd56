package zab

// logRequest hands a transaction to follower i's SyncRequestProcessor. ZooKeeper:
// FollowerZooKeeperServer.logRequest, FollowerZooKeeperServer.java:82-89@3.9.1.
func (n *State) logRequest(i Server, t Txn) {
	n.QueuedRequests[i].Append(t)
	n.PendingTxns[i].Append(t.Zxid)
}

// commitRequest hands the first pending transaction of follower i, which must be z, to its
// CommitProcessor. ZooKeeper: FollowerZooKeeperServer.commit,
// FollowerZooKeeperServer.java:96-111@3.9.1.
func (n *State) commitRequest(i Server, z Zxid) {
	if n.PendingTxns[i].Empty() {
		return // a warning in the log
	}
	if n.PendingTxns[i].At(1) != z {
		n.Raised.Raise(CommitNotNext)
		return
	}
	n.PendingTxns[i].PopFront()
	if queuesCommits {
		n.CommittedRequests[i].Append(z)
	}
}

// settled reports whether nothing keeps the servers of a set from being shut down.
func (s *State) settled(q Set) bool {
	for k := range Server(Servers) {
		if q.Has(k) && (s.amidNEWLEADER(k) || stopsSyncProcessor && !s.QueuedRequests[k].Empty()) {
			return false
		}
	}
	return true
}

// mayCrash reports whether server i may crash: what its leader or its followers do then.
func (s *State) mayCrash(i Server) bool {
	switch l := s.LeaderAddr[i]; {
	case s.State[i] == LEADING:
		return s.settled(s.Learners[i].Without(i))
	case s.State[i] == FOLLOWING && l != NullPoint:
		return s.settled(s.leaving(l, i).Without(i))
	}
	return true
}

// leaving returns the servers that look for a leader again where leader l loses the connection to
// j.
func (s *State) leaving(l, j Server) Set {
	if s.Learners[l].Without(j).IsQuorum(Servers) {
		return Set(0).With(j)
	}
	return s.Learners[l].With(l)
}

// lenOnDisk returns the number of transactions in i's log.
func (s *State) lenOnDisk(i Server) int { return s.History[i].Len() - int(s.Unlogged[i]) }

// lastHeldBack returns the zxid of the last proposal of this Synchronization that follower i has.
func (s *State) lastHeldBack(i Server) Zxid {
	if last := s.PacketsSync[i].NotCommitted.Last().Zxid; last != (Zxid{}) {
		return last
	}
	return s.QueuedRequests[i].Last().Zxid
}

// lastProposed returns the zxid of the last proposal that follower i has, with a follower's
// threads.
func (s *State) lastProposed(i Server) Zxid {
	if last := s.QueuedRequests[i].Last().Zxid; last != (Zxid{}) {
		return last
	}
	return s.lastZxid(i)
}

// broadcast sends m to the servers of a set, but not to i itself.
func (n *State) broadcast(i Server, to Set, m Msg) {
	for k := range Server(Servers) {
		if k != i && to.Has(k) {
			n.Msgs.Send(i, k, m)
		}
	}
}
