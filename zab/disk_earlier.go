package zab

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
