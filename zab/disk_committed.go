package zab

// How a leader with disks apart brings a learner up to date: by the code's own conditions, from
// ZKDatabase.committedLog and the transaction log. committedLog has what the database has read from
// the log and what the request processors have applied. It lacks what a snapshot has, and what
// syncWithLeader applied by itself. So it may begin late and have holes.
//
// Example: a follower got 1:2 between TRUNC and NEWLEADER and then leads.
//
//	memory 1:1 1:2 1:3   committedLog 1:1 1:3   a learner with 1:1 gets DIFF, 1:3 and lacks 1:2
//
// Deviation: the log is one file, and of any size. ZooKeeper sends a snapshot where the log is
// larger than a third of the last snapshot. It reads from the last file that begins at or before
// the zxid. That hides a SNAP instead of a DIFF, from the same memory.
//
// Deviation: a transaction is in committedLog once, and no transaction leaves it at these sizes.
// Before 3.9.4 a transaction that gets in a second time becomes the last one. That hides nothing
// here, since only a late CommitProcessor adds one again: see leaveThreads. A shorter committedLog
// is that of a restart.
//
// Deviation: SNAP is queued when the leader decides on it. ZooKeeper reads the zxid and the memory
// again when it sends the snapshot, so proposals that the snapshot has can follow it. Grain
// leader-threads reads them again with NEWLEADER; in other grains that is one step. The memory is
// read later than the zxid, and while transactions are applied: a fuzzy snapshot. That hides
// nothing: their commits are queued before NEWLEADER, so the follower has applied them all by then.

// noteCommitted adds a transaction to i's committedLog. From 3.9.4 on it does not if the last one
// there is not before it.
//
// ZooKeeper: ZKDatabase.addCommittedProposal, ZKDatabase.java:318-342@3.9.1, 322-353@3.9.5.
func (n *State) noteCommitted(i Server, t Txn) {
	if !keepsCommitted {
		return
	}
	c := &n.Disks[i].Committed
	if c.Find(t) == 0 && (!committedLogIsComplete || c.Empty() || t.Zxid.After(c.Last().Zxid)) {
		c.Append(t)
	}
}

// noteReplayed adds what a database that ends with z reads from i's log. ZooKeeper: the playback
// listener of ZKDatabase, ZKDatabase.java:273-278@3.9.1.
func (n *State) noteReplayed(i Server, z Zxid) {
	if !keepsCommitted {
		return
	}
	d := &n.Disks[i]
	for k := firstAfter(&d.Log, z); k <= d.Log.Len(); k++ {
		n.noteCommitted(i, d.Log.At(k))
	}
}

// startMeetsGap reports whether a start of i reads a transaction from its log that is not the next
// one of its epoch after the one that it read before. The process then ends. The files stay, so
// that each later start ends, too. What a snapshot has is not compared.
//
// ZooKeeper: ZKDatabase.addCommittedProposal, ZKDatabase.java:322-353@3.9.5.
func (s *State) startMeetsGap(i Server) bool {
	d := &s.Disks[i]
	before := Zxid{}
	for k := firstAfter(&d.Log, d.Snapshot.lastZxid()); k <= d.Log.Len(); k++ {
		z := d.Log.At(k).Zxid
		if before != (Zxid{}) && z.Epoch == before.Epoch && z.Counter > before.Counter+1 {
			return true
		}
		if z.After(before) {
			before = z
		}
	}
	return false
}

// openApart is syncFollower and startForwarding, for a learner whose last zxid is peer.
//
// ZooKeeper: LearnerHandler.syncFollower, LearnerHandler.java:780-938@3.9.1, 781-936@3.8.0;
// Leader.startForwarding, Leader.java:1312-1343@3.9.1.
func (n *State) openApart(i, j Server, peer Zxid) {
	d, h := &n.Disks[i], &n.History[i]
	last := n.servedLast(i)
	first, end := last, last // minCommittedLog, maxCommittedLog
	if !d.Committed.Empty() {
		first, end = d.Committed.At(1).Zxid, d.Committed.Last().Zxid
	}
	known := d.Committed
	for k := int(n.LastProcessed[i]) + 1; keepsUnapplied && k <= n.committedByLeader(i); k++ {
		known.Append(h.At(k)) // toBeApplied counts as a part
		end = h.At(k).Zxid
	}
	o := opening{Queued: peer}
	switch {
	case peer == last:
		n.open(i, j, DIFF, peer)
		o.Opened = true
	case syncsByCommittedLog && (d.Committed.Empty() || first.After(peer)):
		// SNAP
	case peer.After(end) && (peer.Counter != 0 || syncsByCommittedLog) && snapsForTRUNC:
		o.Queued = last
	case peer.After(end) && (peer.Counter != 0 || syncsByCommittedLog):
		n.open(i, j, TRUNC, end)
		o = opening{Opened: true, Queued: end}
	case !peer.After(end) && !first.After(peer):
		o = n.queueCommitted(i, j, o, peer, &known, end)
	case first.After(peer) && !d.Log.Empty() && !d.Log.At(1).Zxid.After(peer):
		o = n.queueCommitted(i, j, o, peer, &d.Log, first)
		if first.After(o.Queued) && !sendsOverGaps {
			n.Msgs.Clear(i, j) // a gap between log and committedLog: queuedPackets.clear()
			o = opening{Queued: last}
			break
		}
		o = n.queueCommitted(i, j, o, peer, &known, end)
	case !forwardsFromPeer:
		o.Queued = last
	}
	if !o.Opened {
		n.open(i, j, SNAP, n.snapZxid(i))
	}
	committed := n.committedByLeader(i)
	for k := int(n.LastProcessed[i]) + 1; k <= h.Len(); k++ { // toBeApplied, outstandingProposals
		if h.At(k).Zxid.After(o.Queued) {
			n.sendProposal(i, j, h.At(k), k <= committed)
		}
	}
	n.Forwarding[i].Add(j)
}

// opening is how far a leader is with opening: LearnerHandler.needOpPacket and currentZxid.
type opening struct {
	Opened bool // DIFF or TRUNC is queued
	Queued Zxid // the last zxid that is queued, or that the learner has
}

// queueCommitted queues, after DIFF or TRUNC, what from has after peer and up to a zxid.
//
// ZooKeeper: LearnerHandler.queueCommittedProposals, LearnerHandler.java:951-1042@3.9.1.
func (n *State) queueCommitted(i, j Server, o opening, peer Zxid, from *History, upTo Zxid) opening {
	before := Zxid{}
	for k := 1; k <= from.Len() && !from.At(k).Zxid.After(upTo); k++ {
		t := from.At(k)
		if peer.After(t.Zxid) {
			before = t.Zxid
			continue
		}
		if !o.Opened {
			switch {
			case t.Zxid == peer || peer.Counter == 0 && !syncsByCommittedLog:
				n.open(i, j, DIFF, peer)
			case t.Zxid.Epoch != peer.Epoch && !syncsByCommittedLog, snapsForTRUNC:
				return o // SNAP: a truncation must not cross an epoch, or a repair never truncates
			default:
				n.open(i, j, TRUNC, before)
			}
			o.Opened = true
		}
		if t.Zxid.After(o.Queued) {
			n.sendProposal(i, j, t, true)
			o.Queued = t.Zxid
		}
	}
	if !o.Opened && peer.Counter == 0 {
		n.open(i, j, DIFF, peer)
		o.Opened = true
	}
	return o
}

// snapZxid is the zxid that SNAP of leader i carries.
func (s *State) snapZxid(i Server) Zxid {
	if namesEpochs {
		return s.memoryZxid(i)
	}
	return zxidAt(&s.History[i], int(s.LastProcessed[i]))
}

// open sends the opening message of Synchronization.
func (n *State) open(i, j Server, mode Kind, z Zxid) {
	switch mode {
	case DIFF:
		n.Msgs.Send(i, j, Msg{Kind: DIFF, Zxid: z})
	case TRUNC:
		n.Msgs.Send(i, j, Msg{Kind: TRUNC, Zxid: z})
	case SNAP:
		n.Msgs.Send(i, j, Msg{Kind: SNAP, Zxid: z})
	}
}

// sendProposal sends a proposal to one learner, with its COMMIT if it is committed.
func (n *State) sendProposal(i, j Server, t Txn, committed bool) {
	n.Msgs.Send(i, j, Msg{Kind: PROPOSAL, Zxid: t.Zxid, Data: t.Value})
	if committed {
		n.Msgs.Send(i, j, Msg{Kind: COMMIT, Zxid: t.Zxid})
	}
}

// servedLast is lastProcessedZxid of leader i. One that serves has at least the zxid of its epoch.
// ZooKeeper: Leader.startZkServer, Leader.java:1555@3.9.1.
func (s *State) servedLast(i Server) Zxid {
	last := s.memoryZxid(i)
	if own := epochZxid(s.AcceptedEpoch[i]); s.ZabState[i] == BROADCAST && own.After(last) {
		return own
	}
	return last
}
