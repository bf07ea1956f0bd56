package zab

// The open end of a log: what a crash or a shutdown may have left there, and no message has shown.
// See OpenEnd, and faults_node.go for the steps that leave it open.

// choose adds the next transaction of i's open end to its log, and to its memory, which has the
// whole log.
func (n *State) choose(i Server) {
	open := &n.Beside[i].Open
	if open.Chosen == 0 {
		open.Tail = n.Disks[i].Memory
	}
	open.Chosen++
	n.writeLog(i, open.Rest.At(int(open.Chosen)))
	n.load(i, n.Disks[i].forward(n.memory(i)))
	if open.Crash {
		n.Beside[i].Kept = Number(n.History[i].Len()) + 1
	}
}

// mayChoose reports whether i's log can have more of what is open.
func (s *State) mayChoose(i Server) bool {
	return int(s.Beside[i].Open.Chosen) < s.Beside[i].Open.Rest.Len()
}

// reopen takes back what was chosen of i's open end, since no message has shown it.
func (n *State) reopen(i Server) {
	open := &n.Beside[i].Open
	if open.Chosen == 0 {
		return
	}
	h, d := &n.History[i], &n.Disks[i]
	h.Truncate(h.Len() - int(open.Chosen))
	d.Log.Truncate(d.Log.Len() - int(open.Chosen))
	if n.State[i] == LEADING && n.ZabState[i] == BROADCAST {
		n.Beside[i].Taken -= open.Chosen
		open.Chosen = 0
		return
	}
	n.load(i, Image{Txns: *h, Tail: open.Tail})
	open.Chosen, open.Tail = 0, Tail{}
	if open.Crash {
		n.Beside[i].Kept = n.LastProcessed[i] + 1
	}
	if n.State[i] != LOOKING {
		n.InitialHistory[i] = n.LastProcessed[i]
	}
}

// settleEnd makes what is chosen of i's open end its log: a message shows it.
func (n *State) settleEnd(i Server) {
	if open := &n.Beside[i].Open; !LiveNode {
		for k := 1; k <= int(open.Chosen); k++ {
			if t := open.Rest.At(k); !n.ProposalMsgsLog.Has(t) {
				n.ProposalMsgsLog.Add(t)
			}
		}
	}
	n.Beside[i].Open = OpenEnd{}
}

// openUnseen leaves open how many requests leader i takes while it is alone. Nothing does so where
// something is set aside that a restart may find before these requests.
func (n *State) openUnseen(i Server) {
	if n.State[i] != LEADING || n.ZabState[i] != BROADCAST || !n.Beside[i].Open.Rest.Empty() {
		return
	}
	if n.dropRepeated(i); !n.LeftRequests[i].Empty() {
		return
	}
	n.addUnseen(i, &n.Beside[i].Open.Rest)
}

// openProposals leaves open how much leader i has logged of its last proposals, and of requests
// that nobody has heard of.
func (n *State) openProposals(i Server) {
	n.reopen(i)
	n.settleEnd(i)
	h, log := &n.History[i], &n.Disks[i].Log
	surely := h.Len()
	for surely > n.surelyLogged(i) && h.Len()-surely < maxUnapplied && zxidAt(h, surely).Epoch == n.AcceptedEpoch[i] {
		surely--
	}
	open := OpenEnd{Crash: true}
	for k := surely + 1; k <= h.Len(); k++ {
		open.Rest.Append(h.At(k))
	}
	n.addUnseen(i, &open.Rest)
	if !open.Rest.Empty() {
		n.Beside[i].Open = open
	}
	log.Truncate(log.Len() - (h.Len() - surely))
}

// openQueue leaves open how much of the queue of i's log thread is in its log.
func (n *State) openQueue(i Server) {
	open := &n.Beside[i].Open
	if !open.Rest.Empty() {
		n.reopen(i) // nothing was logged since
		open.Crash = true
		return
	}
	n.leave(i)
	last := later(n.Disks[i].Log.Last().Zxid, n.Disks[i].Snapshot.lastZxid())
	for k := 1; k <= n.LeftRequests[i].Len(); k++ {
		if t := n.LeftRequests[i].At(k); t.Zxid.After(last) { // see lacks
			open.Rest.Append(t)
			open.Crash = true
			last = t.Zxid
		}
	}
}

// bringUp brings the next transaction of i's open end into log and memory. Where nothing is open it
// brings the log into memory, or if it is there, the first transaction of i's left queue.
func (n *State) bringUp(i Server) {
	switch {
	case n.mayChoose(i):
		n.choose(i)
	case !n.logIsAhead(i):
		n.writeLog(i, n.LeftRequests[i].PopFront())
	}
	n.load(i, n.Disks[i].forward(n.memory(i)))
	if n.State[i] != LOOKING {
		n.InitialHistory[i] = Number(n.History[i].Len()) // see turnToFollowing and loadDatabase
	}
}

// mayBringUp reports whether i may have in memory what is not there here: what a shutdown has read,
// or what a crash has left.
func (s *State) mayBringUp(i Server) bool {
	return s.mayChoose(i) || s.Beside[i].Reads && (s.logIsAhead(i) || !s.LeftRequests[i].Empty())
}

// logIsAhead reports whether i's log has later transactions than its memory.
func (s *State) logIsAhead(i Server) bool {
	return s.Disks[i].Log.Last().Zxid.After(s.memoryZxid(i))
}

// addUnseen adds to a queue the requests that leader i can still take while it is alone.
func (n *State) addUnseen(i Server, to *Requests) {
	z := n.lastZxid(i)
	for k := n.Beside[i].Taken; k < maxTaken && n.hasRoom(n.newIn(to)); k++ {
		z = n.nextUnseen(i, z)
		to.Append(Txn{Zxid: z})
	}
}

// surelyLogged returns how many transactions of its history leader i has logged in any case.
func (s *State) surelyLogged(i Server) int {
	if LiveNode {
		return 0
	}
	return int(s.LastCommitted[i])
}

// hasRoom reports whether there may be one more transaction, in addition to those that somebody has
// proposed or may have, and a few new ones.
func (s *State) hasRoom(more int) bool {
	if LiveNode {
		return true
	}
	for k := range Server(Servers) {
		more += s.newIn(&s.Beside[k].Open.Rest)
	}
	return s.ProposalMsgsLog.Len()+more < MaxTransactions
}

// newIn returns how many transactions of a queue nobody has proposed, as far as is decided.
func (s *State) newIn(q *Requests) (count int) {
	for k := 1; !LiveNode && k <= q.Len(); k++ {
		if !s.ProposalMsgsLog.Has(q.At(k)) {
			count++
		}
	}
	return count
}
