package zab

// What the protocol's own steps do otherwise, or note in addition, with the grains one-sided, which
// also run next to a server. With other grains the note functions do nothing and messages are sent
// at once.
const (
	// sendsAtOnce: a step sends to all servers that it concerns. In the grains one-sided each
	// message is a step of its own, since a server's threads put other messages between them: see
	// NodeTellsVote, NodeSendsProposal and NodeSendsCommit.
	sendsAtOnce = !OneSided
	// queuesCommits: what is committed waits for the CommitProcessor. Next to a server no message
	// depends on what is applied.
	queuesCommits = !Beside
	// keepsCommitted: committedLog is known. The grains one-sided do not have it, since no message
	// shows what is in it. BesideState.Kept says where it surely begins.
	keepsCommitted = !OneSided
)

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

// later returns the greater of two zxids.
func later(a, b Zxid) Zxid {
	if a.After(b) {
		return a
	}
	return b
}

// isRead reports whether a start reads a record that is logged now. In the grains one-sided the log
// has only such records: those after the snapshot.
func (d *Disk) isRead(t Txn) bool { return !OneSided || t.Zxid.After(d.Snapshot.lastZxid()) }

// isLater reports whether the log does not have a record, and a start reads it.
func (d *Disk) isLater(t Txn) bool { return lacks(&d.Log, t) && d.isRead(t) }

// whole returns what a start reads from a disk of the grains one-sided, whose log also has what its
// snapshot has: see BesideState.
func (d *Disk) whole() Image {
	m := Image{Txns: d.Log}
	m.nameLast(later(d.Snapshot.lastZxid(), m.Txns.Last().Zxid))
	return m
}

// save writes a database to the snapshot. In the grains one-sided the log gets its transactions,
// and the snapshot keeps the last zxid where that is not a transaction's.
func (d *Disk) save(m Image) {
	if !OneSided {
		d.Snapshot = m
		return
	}
	log := d.Log
	d.Log = m.Txns
	for k := firstAfter(&log, m.lastZxid()); k <= log.Len(); k++ {
		d.write(log.At(k))
	}
	d.Snapshot = Image{Tail: m.Tail}
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
