package raft

// What leaders knew of other servers before v3.6.0: not which commit index they had sent
// (blindCommits), but which appends in flight the answers to heartbeats had freed (stopsWhenFull).

// sentCommit notes the commit index that the leader i has sent j. tracker/progress.go SentCommit.
func (n *State) sentCommit(i, j Server, k Number) {
	if !blindCommits {
		n.Pr[i][j].SentCommit = k
	}
}

// freed returns how many of the appends after Match are no longer in flight from i to j. Where
// appends carry several entries, Inflight has those that are.
func (s *State) freed(i, j Server) Number {
	if !stopsWhenFull {
		return 0
	}
	return s.Pr[i][j].SentCommit
}

func (n *State) setFreed(i, j Server, k Number) {
	if stopsWhenFull && !Batching {
		n.Pr[i][j].SentCommit = k
	}
}

// freeFirst frees the oldest append in flight to a server that answers a heartbeat, if no more may
// be in flight: it may have been lost. tracker/inflights.go FreeFirstOne, v3.5.35.
func (n *State) freeFirst(i, j Server) {
	if !stopsWhenFull || n.Pr[i][j].State != Replicate || !n.inflightFull(i, j) {
		return
	}
	n.setFreed(i, j, n.freed(i, j)+1)
	for x := range n.Pr[i][j].Inflight {
		n.Pr[i][j].Inflight[x].PopFront()
	}
}

// endsSnapshot reports whether what j has acknowledged ends the snapshot in flight. raft.go
// stepLeader, MsgAppResp.
func (s *State) endsSnapshot(i, j Server) bool {
	for x := range s.Pr[i][j].Pending {
		if waitsForSnapshot {
			return s.Pr[i][j].Match >= s.Pr[i][j].Pending[x]
		}
	}
	return s.Pr[i][j].Match >= s.offset(i)
}

// countItself counts the leader i's own copy of its last entry, which may commit it, before it is
// written. raft.go appendEntry, v3.5.35.
func (n *State) countItself(i Server) {
	last := n.lastIndex(i)
	n.Pr[i][i].Match = last
	n.Pr[i][i].Next = last + 1
	n.maybeCommit(i)
}

// leaveSilently is leaveJoint with silentLeave; i had applied its entries up to index before.
// raft.go advance, v3.5.35.
func (n *State) leaveSilently(i Server, before Number) {
	if n.Role[i] != Leader || !n.Conf[i].AutoLeave || n.Applied[i] < n.PendingConf[i] || !leavesAgain && before > n.PendingConf[i] {
		return
	}
	e := Entry{Term: n.Term[i]}
	for x := range e.Change {
		e.Change[x] = Change{Kind: LeaveJoint}
	}
	n.Log[i].Append(e)
	n.countItself(i)
	if !leavesAgain {
		n.PendingConf[i] = n.lastIndex(i)
	}
}
