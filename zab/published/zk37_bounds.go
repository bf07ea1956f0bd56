package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// zk37Bounds is the environment module that bounds ZkV3_7_0 and keeps its variables that no action
// reads. TLA+: recorder with UpdateRecorder, CheckTimeout, CheckTransactionNum, CheckEpoch,
// CheckPartition and CheckCrash. Limits of crashes, partitions and time-outs of elections are
// budgets.
var zk37Bounds = []modules.Rule[State]{
	modules.When(&FLENotmsgTimeout, nothingInFlight),
	modules.When(&LeaderProcessFOLLOWERINFO, func(s *State, _ Pair) bool { return s.MaxEpoch < MaxEpochs }),
	modules.When(&LeaderProcessRequest, func(s *State, _ One) bool { return s.NTransaction < MaxTransactions }),
	modules.When(&NodeCrash, func(s *State, p One) bool {
		return s.isLooking(p.I) || s.NTimeout < MaxTimeoutFailures
	}),
	modules.When(&PartitionStart, func(s *State, _ Pair) bool { return s.NTimeout < MaxTimeoutFailures }),

	modules.AfterAny(recordHistories),
	modules.AfterAny(recordRoles),
	modules.After(&LeaderSyncFollower, recordSync),
	modules.After(&FollowerProcessSyncMessage, recordSyncMessage),
	modules.After(&LeaderProcessFOLLOWERINFO, func(s, n *State, _ Pair) { n.MaxEpoch = n.largestEpoch() }),
	modules.After(&LeaderProcessRequest, recordRequest),
	modules.After(&NodeCrash, func(s, n *State, p One) {
		if !s.isLooking(p.I) {
			n.NTimeout++
		}
	}),
	modules.After(&PartitionStart, func(s, n *State, p Pair) {
		if !s.isLooking(p.I) {
			n.NTimeout++
		}
	}),
}

// nothingInFlight reports whether no notification is in flight to p.I: time-outs wait for that.
func nothingInFlight(s *State, p One) bool {
	for k := range Server(Servers) {
		if !s.ElectionMsgs.Empty(k, p.I) {
			return false
		}
	}
	return true
}

// recordRoles keeps, after every step, initialHistory of those that lead or follow anew,
// packetsSync of those that gave up, and the marks of snapshots that are in flight.
func recordRoles(s, n *State) {
	for i := range Server(Servers) {
		if s.isLooking(i) && !n.isLooking(i) {
			n.recordInitialHistory(i)
		}
		if s.isLooking(i) && n.State[i] == tla.FOLLOWING {
			n.Left[i], n.LeftEpoch[i] = Packets{}, 0
		}
		q := s.PacketsSync[i]
		if !s.isLooking(i) && n.isLooking(i) && (!q.NotCommitted.Empty() || !q.Committed.Empty()) {
			n.Left[i] = q
			if !q.NotCommitted.Empty() {
				n.LeftEpoch[i] = s.AcceptedEpoch[i]
			}
		}
		for j := range Server(Servers) {
			if !n.carriesSnapshot(i, j) {
				n.Snapshots[i][j] = [MaxHistory]tla.Mark{}
			}
		}
	}
}

func (s *State) carriesSnapshot(i, j Server) bool {
	for k := 1; k <= s.Msgs.Len(i, j); k++ {
		if s.Msgs.At(i, j, k).Kind == tla.SNAP {
			return true
		}
	}
	return false
}

// recordSync notes the proposals that a leader repeats to a learner, and the marks of the snapshot
// that it sends.
func recordSync(s, n *State, p Pair) {
	recordForwarded(s, n, p)
	if n.carriesSnapshot(p.I, p.J) {
		for k := range s.snapshotLen(p.I) {
			n.Snapshots[p.I][p.J][k] = tla.Mark{AckSid: s.AckSid[p.I][k], Epoch: n.TxnEpoch[p.I][k]}
		}
	}
}

// recordSyncMessage copies the marks of transactions that came in a snapshot, and notes what
// initialHistory has become.
func recordSyncMessage(s, n *State, p Pair) {
	switch s.Msgs.Head(p.J, p.I).Kind {
	case tla.SNAP:
		for k := range n.History[p.I].Len() {
			m := s.Snapshots[p.J][p.I][k]
			n.AckSid[p.I][k], n.TxnEpoch[p.I][k] = m.AckSid, m.Epoch
		}
		n.recordInitialHistory(p.I)
	case tla.TRUNC:
		n.recordInitialHistory(p.I)
	}
}

var zk37 = grains.Grain[State]{
	Name:   "zk-3.7",
	Doc:    "Bounds and variables of the system specification.",
	Covers: []string{"bounds"},
	Sets:   []grains.Setting{{Name: "specification", Value: "zk-3.7"}},
	Requires: []grains.Ref{{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"},
		{Module: "synchronization", Grain: "baseline"}},
	Actions:    Actions{&FilterNonexistentMessage},
	Rules:      zk37Bounds,
	Invariants: zk37Properties,
}
