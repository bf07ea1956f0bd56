package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// ServerTakesSnapshot writes what a server that serves has in memory to a snapshot. It changes
// something with option disk = "apart" only.
//
// ZooKeeper: SyncRequestProcessor.run, SyncRequestProcessor.java:183-203@3.9.1, and
// ZooKeeperServer.takeSnapshot. The same code is at 181-200@3.8.0.
//
// Deviation: the snapshot of a leader that has not proposed anything has the zxid of its last
// transaction, and not that of its epoch with counter 0. Votes of such a server after a restart are
// of an earlier epoch than in ZooKeeper, which hides that it wins.
var ServerTakesSnapshot = Action[One]{
	Name:   "ServerTakesSnapshot",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isOn(p.I) && s.ServingState[p.I] == RUNNING && s.LastProcessed[p.I] > 0
	},
	Effect: func(s, n *State, p One) { n.saveSnapshot(p.I) },
}

// diskInvariants are about what a server has in memory or on disk. The paper's
// fourteen come from other grains. I-11.epoch says that a crashed server starts again.
var diskInvariants = []modules.Invariant[State]{
	{ID: "I-11", Instance: "gap", Raises: modules.Bit(LogGap),
		Doc: "Bad state: a server starts with a log in which a transaction is missing between two of its epoch, and from 3.9.4 on its process ends " +
			"(ZKDatabase.java:322-353@3.9.5)."},
	{ID: "I-15", Instance: "phantom", State: hasNoPhantom,
		Doc: "Memory: what a follower that serves has applied, its leader has committed (zookeeperInternals.md, Atomic Broadcast: " +
			"a packet is delivered once the leader commits it; Follower.java:203@3.9.1)."},
	{ID: "I-15", Instance: "hole", State: hasNoHole,
		Doc: "Memory: a follower that serves has applied all that its leader has committed up to the follower's last zxid " +
			"(zookeeperInternals.md, Total order; DataTree.java, lastProcessedZxid)."},
	{ID: "I-15", Instance: "disk", State: isDurable,
		Doc: "Durability: once a follower has acknowledged NEWLEADER, reading its disk yields everything that it has applied (Zab, " +
			"step f.2.1: the follower accepts the history before it acknowledges; Learner.java:553-554@3.9.1: a snapshot saves it)."},
	{ID: "I-16", Step: truncatesNothingDelivered,
		Doc: "Truncation: no leader tells a learner to truncate what was delivered (LearnerHandler.java:858-867@3.9.1: TRUNC is " +
			"for a learner that is newer than the committed log)."},
}

// served returns the leader of i, if both serve in the same epoch.
func (s *State) served(i Server) (leader Server, ok bool) {
	l := s.LeaderAddr[i]
	if !s.isFollower(i) || s.ZabState[i] != BROADCAST || l == NullPoint || !s.leads(l, i) || s.ZabState[l] != BROADCAST {
		return NullPoint, false
	}
	return l, s.AcceptedEpoch[l] == s.CurrentEpoch[i]
}

func hasNoPhantom(s *State) bool {
	for i := range Server(Servers) {
		l, ok := s.served(i)
		for k := 1; ok && k <= int(s.LastProcessed[i]); k++ {
			if x := s.History[l].Find(s.History[i].At(k)); x == 0 || x > int(s.LastCommitted[l]) {
				return false
			}
		}
	}
	return true
}

func hasNoHole(s *State) bool {
	for i := range Server(Servers) {
		l, ok := s.served(i)
		for k := 1; ok && k <= int(s.LastCommitted[l]); k++ {
			t := s.History[l].At(k)
			if x := s.History[i].Find(t); !t.Zxid.After(s.memoryZxid(i)) && (x == 0 || x > int(s.LastProcessed[i])) {
				return false
			}
		}
	}
	return true
}

// isDurable reports whether a restart gives each follower back what it has in memory, once it has
// acknowledged NEWLEADER.
func isDurable(s *State) bool {
	for i := range Server(Servers) {
		if !disksApart || !s.isFollower(i) || s.ZabState[i] != BROADCAST && !s.ConnectInfo[i].NlRcv {
			continue
		}
		m := s.Disks[i].restore()
		for k := 1; k <= int(s.LastProcessed[i]); k++ {
			if m.Txns.Find(s.History[i].At(k)) == 0 {
				return false
			}
		}
	}
	return true
}

// truncatesNothingDelivered reports whether no leader opens Synchronization with TRUNC for what was
// delivered. A learner may take TRUNC later, when others have committed the same transaction
// without it: then it gets the transaction back before it acknowledges NEWLEADER.
func truncatesNothingDelivered(s, n *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			opens := !s.Forwarding[i].Has(j) && n.Forwarding[i].Has(j) && n.Msgs.Is(i, j, TRUNC)
			if opens && s.deliveredAfter(n.Msgs.Peek(i, j, TRUNC).Zxid, s.Electing[i].At(j).PeerLastZxid) {
				return false
			}
		}
	}
	return true
}

// deliveredAfter reports whether a transaction after from and not after to was delivered.
func (s *State) deliveredAfter(from, to Zxid) bool {
	for k := 1; k <= s.CommittedLog.Len(); k++ {
		if z := s.CommittedLog.At(k).Zxid; z.After(from) && !z.After(to) {
			return true
		}
	}
	return false
}

var faultsCrashPartitionDisk = grains.Refine(grains.Grain[State]{
	Node:   nodeFaults,
	Name:   "crash-partition disk_faults=snapshots",
	Was:    []string{"crash-partition-disk"},
	Picked: grains.Pick{Grain: "crash-partition", Option: "disk_faults", Value: "snapshots"},
	Doc:    "As crash-partition, and a server that serves may take a snapshot. For option disk = \"apart\".",
	Needs:  diskNeeds,
	Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover, &ServerTakesSnapshot,
		&LeaderTimesOutAtNEWLEADER},
	Invariants: slices.Concat(restartAssertions, diskInvariants),
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("crashes", &NodeCrash),
		modules.Spend[State]("partitions", &PartitionStart),
		modules.Spend[State]("snapshots", &ServerTakesSnapshot),
		modules.Spend[State]("timeouts", &LeaderTimesOutAtNEWLEADER),
	},
	Models: slices.Concat(faultsCrashPartition.Models, []string{
		"org.apache.zookeeper.server.persistence.FileTxnLog.truncate",
		"org.apache.zookeeper.server.persistence.FileTxnSnapLog.restore",
		"org.apache.zookeeper.server.persistence.FileTxnSnapLog.fastForwardFromEdits",
		"org.apache.zookeeper.server.ZKDatabase.truncateLog",
		"org.apache.zookeeper.server.quorum.Leader.waitForNewLeaderAck",
	}),
}, faultsCrashPartition)
