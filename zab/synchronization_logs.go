package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// LeaderFindsLogLarge is LeaderSyncFollower of a leader that finds its log too large to read for
// the learner, and so sends SNAP. It happens where the log would be read: the learner's last zxid
// is before committedLog, and not before the log.
//
// The log is compared with snapshotSizeFactor times the size of the last snapshot. Of the log the
// files after the one with the learner's zxid count, with the room that is reserved in them. So the
// same leader may read its log for one learner and find it too large for another one. A leader with
// snapshotSizeFactor=-1 finds each log too large.
//
// ZooKeeper: ZKDatabase.calculateTxnLogSizeLimit and getProposalsFromTxnLog,
// ZKDatabase.java:365-426@3.9.5; FileTxnLog.FileTxnIterator.getStorageSize,
// FileTxnLog.java:694-700@3.9.1; LearnerHandler.syncFollower, LearnerHandler.java:867-883@3.9.1.
var LeaderFindsLogLarge = Action[Pair]{
	Name:   "LeaderFindsLogLarge",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return disksApart && !syncsByCommittedLog && maySynchronise(s, p) && s.readsLogFor(p.I, s.Electing[p.I].At(p.J).PeerLastZxid)
	},
	Effect: func(s, n *State, p Pair) {
		e := s.Electing[p.I].At(p.J)
		n.Disks[p.I].Log = History{} // as one that begins too late
		n.syncFollower(p.I, p.J, e.PeerLastZxid)
		n.Disks[p.I].Log = s.Disks[p.I].Log
		n.Electing[p.I].Put(p.J, Elector{PeerLastZxid: Synced(), InQuorum: e.InQuorum})
	},
}

// readsLogFor reports whether leader i reads its log for a learner whose last zxid is peer: see
// openApart.
func (s *State) readsLogFor(i Server, peer Zxid) bool {
	d := &s.Disks[i]
	last := s.servedLast(i)
	first := last
	if !d.Committed.Empty() {
		first = d.Committed.At(1).Zxid
	}
	return peer != last && first.After(peer) && !d.Log.Empty() && !d.Log.At(1).Zxid.After(peer)
}

// sendsWhole reports whether no leader opens Synchronization with a DIFF that lacks a delivered
// transaction: one after the learner's last zxid, and not after the last one that is sent.
func sendsWhole(s, n *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			opens := !s.Forwarding[i].Has(j) && n.Forwarding[i].Has(j) && n.Msgs.Is(i, j, DIFF)
			if opens && n.lacksDelivered(i, j, s.Electing[i].At(j).PeerLastZxid) {
				return false
			}
		}
	}
	return true
}

// lacksDelivered reports whether i sends to j, with DIFF, a transaction that is after a delivered
// one that it does not send. That is after from, the last zxid of j.
func (s *State) lacksDelivered(i, j Server, from Zxid) bool {
	sent, msgs := History{}, s.Msgs
	for msgs.Recv(i, j, DIFF); msgs.Is(i, j, PROPOSAL, COMMIT); {
		if m := msgs.Recv(i, j, PROPOSAL, COMMIT); m.Kind == PROPOSAL {
			sent.Append(Txn{Zxid: m.Zxid, Value: m.Data})
		}
	}
	for k := 1; k <= s.CommittedLog.Len(); k++ {
		t := s.CommittedLog.At(k)
		if t.Zxid.After(from) && sent.Last().Zxid.After(t.Zxid) && sent.Find(t) == 0 {
			return true
		}
	}
	return false
}

var synchronizationLargeLogs = grains.Refine(grains.Grain[State]{
	Node:    nodeSync,
	Name:    "large-logs",
	Doc:     "As baseline, and a leader may find its log too large to read for a learner. For option disk = \"apart\".",
	Needs:   diskNeeds,
	Actions: slices.Concat(synchronizationBaseline.Actions, Actions{&LeaderFindsLogLarge}),
	Invariants: slices.Concat(synchronizationAssertions, []modules.Invariant[State]{
		{ID: "I-17", Step: sendsWhole,
			Doc: "Difference: no leader sends a learner DIFF without a delivered transaction that is before one that it sends " +
				"(LearnerHandler.java:951-1042@3.9.1)."},
	}),
	Budgets: []modules.Budget[State]{modules.Spend[State]("large_logs", &LeaderFindsLogLarge)},
	Models: slices.Concat(synchronizationBaseline.Models, []string{
		"org.apache.zookeeper.server.ZKDatabase.getProposalsFromTxnLog",
	}),
}, synchronizationBaseline)
