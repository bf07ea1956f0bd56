package zab

// What the protocol's steps do with a disk that is apart from the memory; see disk.go. Where disks
// are not apart each function does nothing, or what it says of History.

// load makes a database the memory of i.
func (n *State) load(i Server, m Image) {
	n.History[i] = m.Txns
	n.LastProcessed[i] = Number(m.Txns.Len())
	n.Disks[i].Memory = m.Tail
}

// logTxn adds a transaction to i's log, and to its history unless that has it.
func (n *State) logTxn(i Server, t Txn) {
	n.addTxn(i, t)
	n.writeLog(i, t)
}

// logAll adds a queue's transactions to i's log.
func (n *State) logAll(i Server, q *Requests) {
	for k := 1; k <= q.Len(); k++ {
		n.logTxn(i, q.At(k))
	}
}

// addTxn adds a transaction to i's history. With disks apart the history can have it: TRUNC does
// not always take away what it should.
func (n *State) addTxn(i Server, t Txn) {
	if !disksApart || lacks(&n.History[i], t) {
		n.History[i].Append(t)
	}
}

// writeLog writes a transaction to i's disk.
func (n *State) writeLog(i Server, t Txn) {
	if disksApart {
		n.Disks[i].write(t)
	}
}

// applyTo makes the first k transactions of i's history what it has applied. The request processors
// add them to committedLog.
func (n *State) applyTo(i Server, k Number) {
	if disksApart && k > n.LastProcessed[i] {
		n.Disks[i].Memory = Tail{}
		for x := int(n.LastProcessed[i]) + 1; keepsCommitted && x <= int(k); x++ {
			n.noteCommitted(i, n.History[i].At(x))
		}
	}
	n.LastProcessed[i] = k
}

// applyAt makes i apply the k-th transaction of its history, which its memory can have already.
// DataTree.processTxn does not lower lastProcessedZxid, DataTree.java:1100@3.9.1.
func (n *State) applyAt(i Server, k Number) {
	last := n.memoryZxid(i)
	n.LastProcessed[i] = max(n.LastProcessed[i], k)
	if disksApart {
		if z := n.History[i].At(int(k)).Zxid; z.After(last) {
			last = z
		}
		m := n.memory(i)
		m.nameLast(last)
		n.Disks[i].Memory = m.Tail
	}
}

// saveSnapshot writes what i has in memory to a snapshot. Its file has the name of the last zxid. A
// start reads the file of the latest zxid, so one with an earlier zxid is written for nothing.
//
// ZooKeeper: ZooKeeperServer.takeSnapshot, FileTxnSnapLog.save, FileSnap.deserialize,
// FileSnap.java:77-126@3.9.1.
func (n *State) saveSnapshot(i Server) {
	if !disksApart {
		return
	}
	if m := n.memory(i); !n.Disks[i].Snapshot.lastZxid().After(m.lastZxid()) {
		n.Disks[i].save(m)
	}
}

// truncateDisk truncates i's log, reads the disk again, and takes z for the last zxid, whatever the
// disk has. It reports whether there is a log: without one the server exits.
//
// ZooKeeper: ZKDatabase.truncateLog, ZKDatabase.java:600-612@3.9.1, and Learner.syncWithLeader,
// Learner.java:592-602@3.9.1.
func (n *State) truncateDisk(i Server, z Zxid) bool {
	if n.cannotTruncate(i, z) {
		n.Raised.Raise(CannotTruncate)
		return false
	}
	newest := n.Disks[i].Snapshot
	n.Disks[i].truncateAt(z)
	m := n.Disks[i].restore()
	m.nameLast(z)
	n.load(i, m)
	n.restoreCommitted(i)
	if leavesNewSnapshots {
		n.Disks[i].Snapshot = newest
	}
	n.InitialHistory[i] = n.LastProcessed[i]
	n.LastCommitted[i] = min(n.LastCommitted[i], n.LastProcessed[i])
	return true
}

// shutDownMemory changes i's memory when i looks for a leader again, or crashes. A server
// that serves reads the end of its log. One that does not yet serve keeps its memory as it is: with
// TRUNC that has what was committed before NEWLEADER and is on no disk. After SNAP, and before
// NEWLEADER, the database is cleared and read again.
//
// ZooKeeper: ZooKeeperServer.shutdown, ZooKeeperServer.java:935-990@3.9.1, whose canShutdown is
// false in INITIAL, 916-918; Learner.shutdown. At 812-881@3.8.0.
//
// Deviation: 3.4.14 keeps a snapshot that is not on disk in memory when the connection breaks
// (ZOOKEEPER-3642; Learner.java:556-564@3.4.14). 3.5.10 clears its database until UPTODATE, and so
// reads its log (Learner.java:597@3.5.10). Here both do as later versions. That hides
// ZOOKEEPER-3642 in 3.4.14. In 3.5.10 it adds a memory that lacks what the log has after SNAP.
func (n *State) shutDownMemory(i Server, crashed bool) {
	d, c := &n.Disks[i], &n.ConnectInfo[i]
	switch {
	case crashed || n.inSnapshot(i) || n.readsAgain(i) || clearsAfterTRUNC && c.SyncMode == TRUNC && !c.NlRcv:
		n.load(i, d.restore())
		n.restoreCommitted(i)
	case n.ServingState[i] == RUNNING:
		n.applyLogged(i)
		n.noteReplayed(i, n.memoryZxid(i))
		n.load(i, d.forward(n.memory(i)))
	default:
		n.History[i].Truncate(int(n.LastProcessed[i]))
		if c.SyncMode == TRUNC && n.applied(i) > 0 {
			n.applyPackets(i)
		}
		if readsLog {
			n.noteReplayed(i, n.memoryZxid(i))
			n.load(i, d.forward(n.memory(i)))
		}
	}
	n.noteReading(i, crashed)
}

// restoreCommitted makes i's committedLog what restore reads from the log.
func (n *State) restoreCommitted(i Server) {
	n.Disks[i].Committed = History{}
	n.noteReplayed(i, n.Disks[i].Snapshot.lastZxid())
}

// applyPackets adds to follower i's memory what was committed since TRUNC or SNAP. These
// transactions are not added to committedLog. From 3.9.4 on they are: see the constant
// committedLogIsComplete. ZooKeeper: ZooKeeperServer.processTxn(TxnHeader, Record),
// ZooKeeperServer.java:1859-1862@3.9.1.
func (n *State) applyPackets(i Server) {
	q := &n.PacketsSync[i]
	for !q.Committed.Empty() {
		t := q.NotCommitted.PopFront()
		q.Committed.PopFront()
		n.addTxn(i, t)
		n.applyAt(i, Number(find(&n.History[i], t)))
		if committedLogIsComplete {
			n.noteCommitted(i, t)
		}
	}
}

// nameMemory makes z the lastProcessedZxid of i. ZooKeeper: ZKDatabase.setlastProcessedZxid.
func (n *State) nameMemory(i Server, z Zxid) {
	m := n.memory(i)
	m.nameLast(z)
	n.Disks[i].Memory = m.Tail
}

// saveReceived makes what follower i has got since SNAP or TRUNC its memory. Last is the zxid of
// that message.
//
// Deviation: without option epoch_zxids a snapshot without transactions has the zxid of its
// leader's epoch, and another one that of its last transaction. In ZooKeeper it has the
// lastProcessedZxid of its leader. That hides a snapshot that is newer than its last transaction:
// configs/zab/bugs/replaced-log.hcl. It also adds a SNAP that no leader of ZooKeeper sends: from
// one that serves, with the zxid of an earlier epoch. After it an older write comes back from the
// log of the follower. With three transactions that violates I-10 in 25 steps.
func (n *State) saveReceived(i Server, last Zxid) {
	if n.inSnapshot(i) {
		m := Image{Txns: n.History[i]}
		switch {
		case namesEpochs:
			m.nameLast(last)
		case m.Txns.Empty():
			m.nameLast(epochZxid(n.AcceptedEpoch[i]))
		}
		n.load(i, m)
		n.Disks[i].Committed = History{}
		if snapsForTRUNC {
			n.Disks[i].Log, n.Disks[i].Snapshot = History{}, Image{}
		}
	}
	n.applyPackets(i)
	n.InitialHistory[i] = Number(n.History[i].Len())
}

// applyLogged makes what i has logged a part of its memory. Which part of it i has applied is not
// known next to a server, and the shutdown of a server that serves reads the rest.
func (n *State) applyLogged(i Server) {
	if LiveNode {
		m := Image{Txns: n.History[i]}
		m.nameLast(later(n.Disks[i].Memory.Zxid, m.Txns.Last().Zxid))
		n.load(i, m)
	}
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
	case !NodeSteps:
	case crashed:
		n.Beside[i].Reads = false
	case n.ServingState[i] != SHUTDOWN || n.readsAgain(i):
		n.Beside[i].Reads = true
	}
}

// readsAgain reports whether a shutdown of i clears its database, which the disk gives back.
// ZooKeeper: Learner.shutdown, Learner.java:859-875@3.8.0, ZooKeeperServer.shutdown(true).
func (s *State) readsAgain(i Server) bool {
	return NodeSteps && s.State[i] == FOLLOWING && s.Beside[i].Snapped
}

// noteServing notes that leader i serves: it counts the start of its epoch as processed.
// ZooKeeper: Leader.startZkServer, Leader.java:1555@3.9.1.
func (n *State) noteServing(i Server) {
	if NodeSteps || namesEpochs {
		n.nameMemory(i, epochZxid(n.AcceptedEpoch[i]))
	}
}

// readLog loads i's database from disk.
//
// Deviation: servers of these versions write a snapshot with NEWLEADER and when they begin to lead,
// so the last one has what is of epochs before the current one. That hides a crash before the
// snapshot.
func (n *State) readLog(i Server) {
	if !logLeavesMemory {
		return
	}
	l, h := n.log(i), &n.History[i]
	*h = merge(h, &l.Unread)
	*l = Log{}
	for int(l.Covered) < h.Len() && h.At(int(l.Covered)+1).Zxid.Epoch < n.CurrentEpoch[i] {
		l.Covered++
	}
}

// shutDownDatabase changes i's database when i looks for a leader again, or crashes.
func (n *State) shutDownDatabase(i Server, crashed bool) {
	switch {
	case keepsDatabase && !crashed:
		h, l := n.History[i], n.log(i)
		l.Unread = merge(&h, &l.Unread)
		n.History[i].Truncate(int(n.LastProcessed[i]))
		l.Unread = without(&l.Unread, &n.History[i])
	case snapsOverLog:
		n.readLog(i)
	}
}

// coverLog writes a snapshot of i's memory: of the log only what has later zxids will be read
// again. Old is the history that the log had before.
func (n *State) coverLog(i Server, old History) {
	n.saveSnapshot(i)
	if !logLeavesMemory {
		return
	}
	l := n.log(i)
	logged := merge(&old, &l.Unread)
	l.Unread.Clear()
	for k := 1; k <= logged.Len(); k++ {
		if t := logged.At(k); t.Zxid.After(n.lastZxid(i)) {
			l.Unread.Append(t)
		}
	}
}

// logCommitted moves those of the transactions that follower i holds back that are committed to its
// history, as applied.
func (n *State) logCommitted(i Server) {
	q := &n.PacketsSync[i]
	for !q.Committed.Empty() {
		n.appendToLog(i, q.NotCommitted.PopFront())
		q.Committed.PopFront()
	}
	n.InitialHistory[i] = Number(n.History[i].Len())
	if disksApart && leavesHoles {
		committed := n.Disks[i].Committed
		n.applyTo(i, n.InitialHistory[i])
		n.Disks[i].Committed = committed
		return
	}
	n.applyTo(i, n.InitialHistory[i])
}

// appendToLog adds a transaction to the end of i's log, unless the log is past it. ZooKeeper:
// FileTxnLog.append.
//
// Deviation: ZooKeeper warns and writes it in any case. If the log has it already, replaying it
// does nothing. Else that hides a transaction that a restart reads after later ones; option disk =
// "apart" writes it.
func (n *State) appendToLog(i Server, t Txn) {
	if disksApart || t.Zxid.After(n.lastZxid(i)) {
		n.logTxn(i, t)
	}
	n.dropRepeated(i)
}
