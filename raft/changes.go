package raft

// accepts reports whether i takes proposals. raft.go stepLeader, MsgProp: ErrProposalDropped.
func (s *State) accepts(i Server) bool {
	return s.Role[i] == Leader && s.tracks(i, i) && (MaxTransfers == 0 || s.Transferee[i] == None)
}

// mayChange reports whether the leader i takes a change now. raft.go stepLeader, MsgProp:
// failedCheck.
func (s *State) mayChange(i Server, ch Change) bool {
	return (s.PendingConf[i] <= s.Applied[i] || Mistake == ConcurrentChanges) && s.conf(i).joint() == (ch.Kind == LeaveJoint)
}

// proposeChange appends a change, or an empty entry where it is refused.
func (n *State) proposeChange(i Server, ch Change) {
	e := Entry{Term: n.Term[i]}
	if n.mayChange(i, ch) {
		n.PendingConf[i] = n.lastIndex(i) + 1
		for x := range e.Change {
			e.Change[x] = ch
		}
	}
	n.appendEntry(i, e)
}

// applyTo applies i's committed entries up to k: changes take effect, and a leader leaves a joint
// configuration that leaves by itself. raft.go applyConfChange, switchToConfig, appliedTo.
func (n *State) applyTo(i Server, k Number) {
	for x := n.Applied[i] + 1; Membership && x <= k; x++ {
		if ch := n.changeAt(i, x); ch.Kind != NoChange {
			if ch.Kind == LeaveJoint && !n.Conf[i].joint() {
				n.Panics.Raise(LeftTwice)
				return
			}
			n.switchTo(i, n.Conf[i].with(ch))
		}
	}
	before := n.Applied[i]
	n.Applied[i] = k
	n.leaveJoint(i, before)
}

// leaveJoint makes a leader that has applied all changes leave a joint configuration that leaves by
// itself. It had applied its entries up to index before. raft.go appliedTo.
func (n *State) leaveJoint(i Server, before Number) {
	if Membership && silentLeave {
		n.leaveSilently(i, before)
		return
	}
	if Membership && n.Conf[i].AutoLeave && n.Applied[i] >= n.PendingConf[i] && n.accepts(i) {
		n.proposeChange(i, Change{Kind: LeaveJoint})
	}
}

// switchTo gives i a new configuration. raft.go switchToConfig; confchange.go initProgress, remove.
func (n *State) switchTo(i Server, c Conf) {
	before := n.Conf[i]
	n.Conf[i] = c
	if n.Role[i] != Leader {
		return
	}
	had := before.Voters.Union(before.Outgoing).Union(before.Learners)
	for j := range Server(Servers) {
		switch {
		case !n.tracks(i, j):
			n.Pr[i][j] = Progress{}
			n.RecentActive[i].Remove(j)
		case !had.Has(j):
			n.Pr[i][j] = Progress{Next: max(n.lastIndex(i), 1)}
			n.heardOf(i, j)
		}
	}
	if !n.promotable(i) {
		return
	}
	if n.maybeCommit(i) {
		n.bcastAppend(i)
	} else {
		for j := range Server(Servers) {
			if j != i && n.tracks(i, j) {
				n.maybeSendAppend(i, j, false)
			}
		}
	}
	if MaxTransfers > 0 && n.Transferee[i] != None && !n.votes(i, n.Transferee[i]) && !(handsOverToLearners && n.tracks(i, n.Transferee[i])) {
		n.Transferee[i] = None
	}
}
