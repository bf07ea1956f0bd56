package zab

// syncFollower brings j up to date. ZooKeeper: LearnerHandler.syncFollower,
// LearnerHandler.java:780-920@3.9.1.
func (n *State) syncFollower(i, j Server, peer Zxid) {
	n.openSyncWith(i, j, peer)
	n.sendNEWLEADER(i, j)
}

// openSyncWith is syncFollower without NEWLEADER.
func (n *State) openSyncWith(i, j Server, peer Zxid) {
	if disksApart && Snap {
		n.openApart(i, j, peer)
		return
	}
	mode, seen := n.syncMode(i, peer)
	n.sendOpening(i, j, mode, seen, n.committedByLeader(i))
}

// syncMode chooses how leader i brings a learner up to date whose last zxid is peer. It also
// returns up to which position the learner then has i's history: after DIFF by itself, after TRUNC
// by truncating its own, after SNAP by the snapshot.
//
// Deviation: without disks apart the leader's committed log reaches back to its first transaction
// and up to the last committed one. So only a learner without any transaction gets SNAP. That hides
// committedLog with holes (configs/zab/bugs/zk-4925.hcl), and where it begins late; option disk =
// "apart" has both.
//
// Deviation: without disks apart a learner without any transaction gets SNAP. ZooKeeper compares
// zxids only. It sends DIFF where committedLog begins with the first transaction. It sends SNAP
// where the leader serves and has no transaction, and this sends DIFF. It hides what a crash does
// to a server that gets its first transactions by DIFF. Servers with one transaction more show
// that.
func (s *State) syncMode(i Server, peer Zxid) (mode Kind, seen int) {
	h := &s.History[i]
	committed, processed := s.committedByLeader(i), int(s.LastProcessed[i])
	if s.ZabState[i] == BROADCAST && !keepsUnapplied {
		committed = processed // committedLog ends with what is applied
	}
	switch at := position(h, peer); {
	case peer == zxidAt(h, processed):
		return DIFF, processed
	case snapsOverLog && s.committedLogIsEmpty(i):
		return SNAP, processed
	case Snap && syncsByCommittedLog && processed == 0:
		return SNAP, processed // committedLog is empty
	case peer.After(zxidAt(h, committed)):
		return TRUNC, committed
	case at > h.Len():
		// The learner has a transaction that the leader has not: keep what comes before.
		before := 0
		for before < h.Len() && !h.At(before+1).Zxid.After(peer) {
			before++
		}
		if diffsDiverged && before > 0 {
			return DIFF, before
		}
		crosses := before == h.Len() || h.At(before+1).Zxid.Epoch != peer.Epoch
		if syncsByCommittedLog {
			crosses = before == 0 // the learner is before committedLog
		}
		if Snap && crosses {
			return SNAP, processed // a truncation must not cross an epoch
		}
		return TRUNC, before
	case Snap && at == 0:
		return SNAP, processed
	default:
		return DIFF, at
	}
}

// sendNEWLEADER ends the synchronisation of learner j with leader i's epoch.
func (n *State) sendNEWLEADER(i, j Server) {
	n.Msgs.Send(i, j, Msg{Kind: NEWLEADER, Zxid: epochZxid(n.AcceptedEpoch[i])})
}

// sendOpening sends the opening message, and the transactions after position seen with a COMMIT for
// the committed ones. From now on j gets every proposal. ZooKeeper:
// LearnerHandler.queueCommittedProposals, Leader.startForwarding.
func (n *State) sendOpening(i, j Server, mode Kind, seen, committed int) {
	h := &n.History[i]
	z := zxidAt(h, seen)
	switch mode {
	case DIFF:
		n.Msgs.Send(i, j, Msg{Kind: DIFF, Zxid: z})
	case TRUNC:
		n.Msgs.Send(i, j, Msg{Kind: TRUNC, Zxid: z})
	case SNAP:
		n.Msgs.Send(i, j, Msg{Kind: SNAP, Zxid: z})
	}
	for k := seen + 1; k <= h.Len(); k++ {
		t := h.At(k)
		n.Msgs.Send(i, j, Msg{Kind: PROPOSAL, Zxid: t.Zxid, Data: t.Value})
		if k <= committed {
			n.Msgs.Send(i, j, Msg{Kind: COMMIT, Zxid: t.Zxid})
		}
	}
	n.Forwarding[i].Add(j)
}
