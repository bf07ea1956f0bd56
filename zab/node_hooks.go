package zab

// What the protocol's own steps do otherwise, or note in addition, with the grains node, which
// also run next to a server. With other grains the note functions do nothing and messages are sent
// at once.

// noteProposed notes what i proposed, and in which round, before its election ends.
func (n *State) noteProposed(i Server) {
	if OneSided {
		n.Voters[i].Proposed, n.Voters[i].Round = n.CurrentVote[i], n.LogicalClock[i]
	}
}

// noteAnswered notes that i has answered j, or has sent an answer again.
func (n *State) noteAnswered(i, j Server) {
	if Beside {
		n.Voters[i].Answered.Add(j)
	}
}

// noteServing notes that leader i serves: it counts the start of its epoch as processed.
// ZooKeeper: Leader.startZkServer, Leader.java:1555@3.9.1.
func (n *State) noteServing(i Server) {
	if OneSided || namesEpochs {
		n.nameMemory(i, epochZxid(n.AcceptedEpoch[i]))
	}
}

// dropRepeated drops what i's left SyncRequestProcessor has to log a second time.
func (n *State) dropRepeated(i Server) {
	for OneSided && !n.LeftRequests[i].Empty() && !n.Disks[i].isLater(n.LeftRequests[i].At(1)) {
		n.LeftRequests[i].PopFront()
	}
}

// readsAgain reports whether a shutdown of i clears its database, which the disk gives back.
// ZooKeeper: Learner.shutdown, Learner.java:859-875@3.8.0, ZooKeeperServer.shutdown(true).
func (s *State) readsAgain(i Server) bool {
	return OneSided && s.State[i] == FOLLOWING && s.Beside[i].Snapped
}

// noteReading notes whether a shutdown of i may have read the log while the log thread was writing.
// A shutdown of a server that serves, or has a snapshot only, reads it. That of one that has begun
// with NEWLEADER reads it if the log thread fails first: the connection on which it acknowledges is
// closed.
//
// ZooKeeper: SendAckRequestProcessor.flush, Learner.closeSockSync and ZooKeeperServer.canShutdown,
// ZooKeeperServer.java:812-814@3.8.0; from 3.7 on.
func (n *State) noteReading(i Server, crashed bool) {
	switch {
	case !OneSided:
	case crashed:
		n.Beside[i].Reads = false
	case n.ServingState[i] != SHUTDOWN || n.readsAgain(i):
		n.Beside[i].Reads = true
	}
}

// applyLogged makes what i has logged a part of its memory. Which part of it i has applied is not
// known next to a server, and the shutdown of a server that serves reads the rest.
func (n *State) applyLogged(i Server) {
	if Beside {
		m := Image{Txns: n.History[i]}
		m.nameLast(later(n.Disks[i].Memory.Zxid, m.Txns.Last().Zxid))
		n.load(i, m)
	}
}

// receivers returns the learners to which leader i sends, in the same step, what it proposes and
// commits.
func (s *State) receivers(i Server) Set {
	if !sendsAtOnce {
		return 0
	}
	return s.Forwarding[i]
}

// say sends what follower i has to say to its leader j, unless its connection is breaking.
func (n *State) say(i, j Server, m Msg) {
	if !OneSided || !n.Beside[i].Unheard {
		n.Msgs.Send(i, j, m)
	}
}
