package zab

// What the protocol's own steps do otherwise, or note in addition, beside a server. Where
// behaviours are explored, the note functions do nothing and messages are sent at once.
const (
	// sendsAtOnce: a step sends to all servers that it concerns. Beside a server each message is a
	// step of its own, since the server's threads put other messages between them: see
	// NodeTellsVote, NodeSendsProposal and NodeSendsCommit.
	sendsAtOnce = !Beside
	// queuesCommits: what is committed waits for the CommitProcessor. Beside a server no message
	// depends on what is applied.
	queuesCommits = !Beside
)

// noteProposed notes what i proposed, and in which round, before its election ends.
func (n *State) noteProposed(i Server) {
	if Beside {
		n.Voters[i].Proposed, n.Voters[i].Round = n.CurrentVote[i], n.LogicalClock[i]
	}
}

// noteServing notes that leader i is about to serve.
func (n *State) noteServing(i Server) {
	if Beside {
		n.Beside[i].ServedEpoch = n.AcceptedEpoch[i]
	}
}

// servedZxid is z, the zxid of i's last transaction, or that of the epoch that i has begun since.
func (s *State) servedZxid(i Server, z Zxid) Zxid {
	if Beside && s.Beside[i].ServedEpoch > z.Epoch {
		return epochZxid(s.Beside[i].ServedEpoch)
	}
	return z
}

// keepsMemory reports whether i, which is about to look for a leader, keeps its memory as it is: so
// after a shutdown before it served. ZooKeeper: ZooKeeperServer.canShutdown.
func (s *State) keepsMemory(i Server, crashed bool) bool {
	return Beside && !crashed && s.ServingState[i] != RUNNING && s.ConnectInfo[i].SyncMode != SNAP
}

// dropRepeated drops what i's left SyncRequestProcessor has to log a second time.
func (n *State) dropRepeated(i Server) {
	for Beside && !n.LeftRequests[i].Empty() && !n.LeftRequests[i].At(1).Zxid.After(n.lastZxid(i)) {
		n.LeftRequests[i].PopFront()
	}
}

// setAside keeps what i has on disk and not in memory, before what is left of a
// SyncRequestProcessor's queue. The server does not lead with it, and has it again unless it comes
// to log anything after it.
func (n *State) setAside(i Server) {
	h, left := &n.History[i], n.LeftRequests[i]
	if !Beside || int(n.LastProcessed[i]) >= h.Len() {
		return
	}
	n.LeftRequests[i].Clear()
	for k := int(n.LastProcessed[i]) + 1; k <= h.Len(); k++ {
		n.LeftRequests[i].Append(h.At(k))
	}
	for k := 1; k <= left.Len(); k++ {
		n.LeftRequests[i].Append(left.At(k))
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
	if !Beside || !n.Beside[i].Unheard {
		n.Msgs.Send(i, j, m)
	}
}
