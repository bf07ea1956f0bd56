package published

import "github.com/multigrain/multigrain/zab/published/internal/tla"

// Snapshots of ZkV3_7_0.tla.

// takeSnapshot notes that i has taken a snapshot of what it has committed. TLA+: TakeSnapshot.
func (n *State) takeSnapshot(i Server) {
	last := &n.LastSnapshot[i]
	if last.Index > n.LastCommitted[i] {
		n.Raised.Raise(tla.SnapshotAhead)
		return
	}
	k := n.LastCommitted[i]
	*last = tla.Position{Index: k, Zxid: zxidAt(&n.History[i], int(k))}
}

// shouldSnapshot reports whether i has committed two transactions since its last snapshot. TLA+:
// ShouldSnapshot.
func (s *State) shouldSnapshot(i Server) bool {
	return s.LastCommitted[i]-s.LastSnapshot[i].Index >= 2
}

// needsSnapshot reports whether a learner whose last transaction is peer comes before what leader i
// still has in its committed log, which begins after its last snapshot. TLA+: SyncFollower, case 4.
func (s *State) needsSnapshot(i Server, peer tla.Zxid, committed int) bool {
	h := &s.History[i]
	first := int(s.LastSnapshot[i].Index) + 1
	if first > committed {
		return s.lastProcessedZxid(i).After(peer)
	}
	return zxidAt(h, first).After(peer)
}

// snapshotLen returns the number of transactions in the snapshot that leader i sends.
func (s *State) snapshotLen(i Server) int {
	if s.ZabState[i] == tla.BROADCAST {
		return int(s.LastCommitted[i])
	}
	return s.History[i].Len()
}

// adoptSnapshot replaces follower i's history by the snapshot of its leader j, which ends with z.
//
// Deviation: the snapshot is not in the message. Until the connection breaks a leader only adds to
// its history, so its first transactions are the snapshot.
func (n *State) adoptSnapshot(i, j Server, z tla.Zxid) {
	k := zxidToIndex(&n.History[j], z)
	n.History[i] = n.History[j].Prefix(k)
	n.InitialHistory[i] = Number(k)
	n.LastProcessed[i] = Number(k)
	n.LastCommitted[i] = Number(k)
}
