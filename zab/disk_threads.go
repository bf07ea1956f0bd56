package zab

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
