package zab

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

// logAfterShutdown logs a transaction of i's queue when the shutdown has read the log into memory.
func (n *State) logAfterShutdown(i Server, t Txn) {
	if disksApart {
		n.writeLog(i, t)
		return
	}
	n.appendToLog(i, t)
}

// leaveThreads ends the threads of servers that crash, and those of servers that look for a leader
// again except for the SyncRequestProcessor. Was is the state before. ZooKeeper: Learner.shutdown,
// ZooKeeperServer.shutdown(boolean), ZooKeeperServer.java:935-1000@3.9.1, which
// LearnerZooKeeperServer does not override, so that its own shutdown, which would stop the
// SyncRequestProcessor, is not called.
//
// Deviation: a CommitProcessor ends with the shutdown. In ZooKeeper it can be late: the shutdown
// reads the end of the log, and then the thread applies a transaction again. Before 3.9.4 it also
// adds it to committedLog, as the last one. That hides a leader that has a learner truncate later
// transactions, which are committed: TestLateCommitProcessor of package zab/zookeeper/replay shows
// it on 3.8.0.
func (n *State) leaveThreads(was *State) {
	for k := range Server(Servers) {
		crashed := was.isOn(k) && !n.isOn(k)
		if !crashed && (was.isLooking(k) || !n.isLooking(k)) {
			continue
		}
		q := &n.QueuedRequests[k]
		for x := 1; x <= q.Len() && !crashed && logsDuringShutdown; x++ {
			n.logAfterShutdown(k, q.At(x))
		}
		for x := 1; x <= q.Len() && !crashed && !logsDuringShutdown; x++ {
			if n.LeftRequests[k].Find(q.At(x)) == 0 {
				n.LeftRequests[k].Append(q.At(x))
			}
		}
		if crashed {
			n.LeftRequests[k].Clear()
		}
		q.Clear()
		n.PendingTxns[k].Clear()
		n.CommittedRequests[k].Clear()
	}
}
