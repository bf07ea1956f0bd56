package zab

import "github.com/multigrain/multigrain/modules"

// PublishedSystem is what the published system specification (ZkV3_7_0, with FastLeaderElection) keeps in its state besides
// what Published holds.
type PublishedSystem struct {
	LastSnapshot [Servers]Position
	Partition    [Servers]Set                       // links that are cut; symmetric
	Left         [Servers]Packets                   // packetsSync of servers that have not followed since they left their leader
	LeftEpoch    [Servers]Number                    // the round in which they were received
	Snapshots    [Servers][Servers][MaxHistory]Mark // by position: what SNAP in flight carries
}

// Position is a published [index, zxid].
type Position struct {
	Index Number
	Zxid  Zxid
}

// systemBounds is the environment module that bounds the published system specification, and keeps what it has in its state
// besides. TLA+: recorder with UpdateRecorder, CheckTimeout, CheckTransactionNum, CheckEpoch, CheckPartition and CheckCrash.
// Limits of crashes, partitions and time-outs of elections are budgets.
var systemBounds = []modules.Rule[State]{
	modules.When(&FLENotmsgTimeout, nothingInFlight),
	modules.When(&LeaderProcessFOLLOWERINFO, func(s *State, _ Pair) bool { return s.book().MaxEpoch < MaxEpochs }),
	modules.When(&LeaderProcessRequest, func(s *State, _ One) bool { return s.book().NTransaction < MaxTransactions }),
	modules.When(&NodeCrash, func(s *State, p Crash) bool {
		return s.isLooking(p.I) || s.book().NTimeout < MaxTimeoutFailures
	}),
	modules.When(&PartitionStart, func(s *State, _ Pair) bool { return s.book().NTimeout < MaxTimeoutFailures }),

	modules.AfterAny(recordHistories),
	modules.AfterAny(recordSystem),
	modules.After(&LeaderSyncFollower, recordSync),
	modules.After(&FollowerProcessSyncMessage, recordSyncMessage),
	modules.After(&LeaderProcessFOLLOWERINFO, func(s, n *State, _ Pair) { n.book().MaxEpoch = n.largestEpoch() }),
	modules.After(&LeaderProcessRequest, func(s, n *State, p One) {
		n.book().Proposals.Add(Proposal{p.I, s.AcceptedEpoch[p.I], n.History[p.I].Last()})
		n.book().NTransaction = n.longestHistory()
	}),
	modules.After(&NodeCrash, func(s, n *State, p Crash) {
		if !s.isLooking(p.I) {
			n.book().NTimeout++
		}
	}),
	modules.After(&PartitionStart, func(s, n *State, p Pair) {
		if !s.isLooking(p.I) {
			n.book().NTimeout++
		}
	}),
}

// nothingInFlight reports whether no notification is on its way to p.I: published time-outs wait for that.
func nothingInFlight(s *State, p One) bool {
	for k := range Server(Servers) {
		if !s.ElectionMsgs.Empty(k, p.I) {
			return false
		}
	}
	return true
}

// recordSystem keeps, behind every step, initialHistory of those who lead or follow anew, packetsSync of those who gave up, and
// the contents of snapshots that are in flight.
func recordSystem(s, n *State) {
	b := &n.book().System
	for i := range Server(Servers) {
		if s.isLooking(i) && !n.isLooking(i) {
			n.recordInitialHistory(i)
		}
		if s.isLooking(i) && n.State[i] == FOLLOWING {
			b.Left[i], b.LeftEpoch[i] = Packets{}, 0
		}
		if q := s.PacketsSync[i]; !s.isLooking(i) && n.isLooking(i) && (!q.NotCommitted.Empty() || !q.Committed.Empty()) {
			b.Left[i] = q
			if !q.NotCommitted.Empty() {
				b.LeftEpoch[i] = s.AcceptedEpoch[i]
			}
		}
		for j := range Server(Servers) {
			if !n.carriesSnapshot(i, j) {
				b.Snapshots[i][j] = [MaxHistory]Mark{}
			}
		}
	}
}

func (s *State) carriesSnapshot(i, j Server) bool {
	for k := 1; k <= s.Msgs.Len(i, j); k++ {
		if s.Msgs.At(i, j, k).Kind == SNAP {
			return true
		}
	}
	return false
}

// recordSync notes the proposals that a leader repeats to a learner, and the details of the snapshot that it sends.
func recordSync(s, n *State, p Pair) {
	b := n.book()
	for k := s.Msgs.Len(p.I, p.J) + 1; k <= n.Msgs.Len(p.I, p.J); k++ {
		if m := n.Msgs.At(p.I, p.J, k); m.Kind == PROPOSAL {
			b.Proposals.Add(Proposal{p.I, s.AcceptedEpoch[p.I], Txn{m.Zxid, m.Data}})
		}
	}
	if n.carriesSnapshot(p.I, p.J) {
		for k := range s.snapshotLen(p.I) {
			b.System.Snapshots[p.I][p.J][k] = Mark{s.AckSid[p.I][k], b.TxnEpoch[p.I][k]}
		}
	}
}

// recordSyncMessage copies the details of transactions that came in a snapshot, and notes what initialHistory has become.
func recordSyncMessage(s, n *State, p Pair) {
	switch s.Msgs.Head(p.J, p.I).Kind {
	case SNAP:
		b := n.book()
		for k := range n.History[p.I].Len() {
			m := s.book().System.Snapshots[p.J][p.I][k]
			n.AckSid[p.I][k], b.TxnEpoch[p.I][k] = m.AckSid, m.Epoch
		}
		n.recordInitialHistory(p.I)
	case TRUNC:
		n.recordInitialHistory(p.I)
	}
}

// publishedSnapshot notes that i has taken a snapshot of what it has committed. TLA+: TakeSnapshot.
func (s *State) publishedSnapshot(i Server) {
	last := &s.book().System.LastSnapshot[i]
	if last.Index > s.LastCommitted[i] {
		s.Raised.Raise(SnapshotAhead)
		return
	}
	*last = Position{s.LastCommitted[i], zxidAt(&s.History[i], int(s.LastCommitted[i]))}
}

// shouldSnapshot reports whether i has committed two transactions since its last snapshot.
func (s *State) shouldSnapshot(i Server) bool {
	return s.LastCommitted[i]-s.book().System.LastSnapshot[i].Index >= 2
}

// needsSnapshot reports whether a learner whose last transaction is peer comes before what leader i still has in its committed
// log, which begins behind its last snapshot. TLA+: SyncFollower, case 4.
func (s *State) needsSnapshot(i Server, peer Zxid, committed int) bool {
	h := &s.History[i]
	processed := zxidAt(h, int(s.LastProcessed[i]))
	first := int(s.book().System.LastSnapshot[i].Index) + 1
	if first > committed {
		return processed.After(peer)
	}
	return zxidAt(h, first).After(peer)
}

// snapshotLen is the number of transactions in the snapshot that leader i sends.
func (s *State) snapshotLen(i Server) int {
	if s.ZabState[i] == BROADCAST {
		return int(s.LastCommitted[i])
	}
	return s.History[i].Len()
}

// commitAtOnce commits the first transaction that follower i holds back: it is not to be logged first.
func (s *State) commitAtOnce(i Server) {
	s.History[i].Append(s.PacketsSync[i].NotCommitted.PopFront())
	s.LastCommitted[i] = Number(s.History[i].Len())
	s.LastProcessed[i] = s.LastCommitted[i]
}

// isCut reports whether the link between i and j is cut.
func (s *State) isCut(i, j Server) bool {
	if asSystem {
		return s.book().System.Partition[i].Has(j)
	}
	return s.Msgs.IsCut(i, j)
}

// markPartition notes that the link p is cut or healed. In the published system specification messages pass all the same, and
// a partition does no more than to break the connection once.
func (s *State) markPartition(p Pair, cut bool) {
	links := &s.book().System.Partition
	if cut {
		links[p.I].Add(p.J)
		links[p.J].Add(p.I)
		return
	}
	links[p.I].Remove(p.J)
	links[p.J].Remove(p.I)
}
