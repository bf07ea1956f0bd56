package zab

// How one server begins and ends its connections, and what it forgets then.

// hangUp closes i's connections and takes it back to looking for a leader.
func (n *State) hangUp(i Server, crashed bool) {
	n.endConnections(i)
	n.forgetTerm(i, crashed)
}

// hangUpOn ends leader i's connection to learner j.
func (n *State) hangUpOn(i, j Server) {
	if LiveNode && n.Electing[i].Len() > 1 {
		n.settleEnd(i) // see NodeProcessACKEPOCH
	}
	n.reopen(i)
	n.endConnection(i, j)
	n.Learners[i].Remove(j)
	n.Forwarding[i].Remove(j)
	n.AckldRecv[i].Connected.Remove(j)
	n.Connecting[i].Connected.Remove(j)
	n.Beside[i].Backlogs[j], n.Beside[i].Opening[j] = Backlog{}, NoKind
	n.Beside[i].Announced.Remove(j)
	n.Beside[i].UpToDate.Remove(j)
	n.notEarly(i, j)
	if n.Electing[i].Has(j) {
		n.Electing[i].Put(j, Elector{PeerLastZxid: Synced(), InQuorum: n.Electing[i].At(j).InQuorum})
	}
	if n.isAlone(i) {
		n.openUnseen(i)
	}
}

// endConnection ends what i sends to j, after what is in flight. It reads no more of j.
func (n *State) endConnection(i, j Server) {
	if !LiveNode {
		n.Msgs.Clear(j, i)
	}
	n.Msgs.Send(i, j, Msg{Kind: CLOSED})
}

// endConnections ends i's connections. Where its process has ended, the kernel does it.
func (n *State) endConnections(i Server) {
	for k := range Server(Servers) {
		if k != i && (n.LeaderAddr[i] == k || n.Learners[i].Has(k)) {
			n.endConnection(i, k)
		}
	}
}

// isAlone reports whether leader i has no connection to a learner.
func (s *State) isAlone(i Server) bool { return s.Learners[i] == Set(0).With(i) }

// forgetTerm takes i back to looking for a leader, with what it keeps then.
func (n *State) forgetTerm(i Server, crashed bool) {
	n.reopen(i)
	if stopsSyncProcessor && !crashed {
		n.logQueued(i)
	}
	n.goLooking(i, crashed)
	if !crashed {
		n.leave(i)
	}
	if crashed {
		n.LeftRequests[i].Clear()
		n.Beside[i].Snapped = false
	}
	n.QueuedRequests[i].Clear()
	n.PendingTxns[i].Clear()
	n.CommittedRequests[i].Clear()
	n.Learners[i] = 0
	n.Forwarding[i] = 0
	n.Electing[i].Clear()
	n.AckldRecv[i] = Contacts{}
	n.Connecting[i] = Contacts{}
	n.Beside[i].Unheard, n.Beside[i].Offered = false, 0
	n.Beside[i].Announced, n.Beside[i].UpToDate = 0, 0
	n.Beside[i].Backlogs, n.Beside[i].Opening = [Servers]Backlog{}, [Servers]Kind{}
	n.Beside[i].Taken, n.Beside[i].Shown, n.Beside[i].Early = 0, 0, Early{}
	n.TempMaxEpoch[i] = 0
	for k := range n.AckSid[i] {
		n.AckSid[i][k] = 0
	}
}

// answers reports whether follower i has chosen something of its open end. It does so for its
// answer to LEADERINFO, so that is all that it does next. To end the connection it need not choose.
func (s *State) answers(i Server) bool {
	return s.State[i] == FOLLOWING && s.Beside[i].Open.Chosen > 0
}

// notEarly is called when leader i has begun to synchronise learner j, or has lost it.
func (n *State) notEarly(i, j Server) {
	if n.Beside[i].Early.Learners.Remove(j); n.Beside[i].Early.Learners == 0 {
		n.Beside[i].Early = Early{}
	}
}

// beginConnection makes a connection of i to j. Nothing is in flight over it.
func (n *State) beginConnection(i, j Server) {
	if !LiveNode {
		n.forgetLink(i, j)
		n.landed(i)
	}
}

// connectTo connects follower i to its leader j, and sends FOLLOWERINFO.
func (n *State) connectTo(i, j Server) {
	n.LeaderAddr[i] = j
	n.beginConnection(i, j)
	n.Msgs.Send(i, j, Msg{Kind: FOLLOWERINFO, Zxid: Zxid{Epoch: n.AcceptedEpoch[i]}})
}

// landed takes what the snapshot in flight to follower i holds.
func (n *State) landed(i Server) (h History) {
	for k := range n.Beside[i].Snapshot {
		h = n.Beside[i].Snapshot[k]
		n.Beside[i].Snapshot[k] = History{}
	}
	return h
}

// fly puts what a snapshot to follower i holds in flight. Next to a server that is not known.
func (n *State) fly(i Server, h History) {
	if !LiveNode {
		for k := range n.Beside[i].Snapshot {
			n.Beside[i].Snapshot[k] = h
		}
	}
}
