package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Broadcast where the leader, too, has a thread that logs. A proposal is sent to the followers and
// handed to the leader's SyncRequestProcessor at the same time, so a follower can acknowledge it
// before the leader does. History holds what the leader has proposed; its last Unlogged
// transactions are not on the leader's disk.
//
// Between these two acknowledgements a follower can lose its connection, join the same leader
// again and truncate the proposal. The leader still counts the acknowledgement that it has.

// LeaderProcessRequestAsync takes a client's write and proposes it. The SyncRequestProcessor will
// log it.
//
// Paper: Zab phase 3, step l.3.1. ZooKeeper: ProposalRequestProcessor.processRequest,
// Leader.propose.
//
// Deviation: only the leader takes requests. It hides no order of log and acknowledgement: the
// leader proposes a follower's request in the same way.
var LeaderProcessRequestAsync = Action[One]{
	Name:   "LeaderProcessRequestAsync",
	Params: EachServer,
	Guard:  LeaderProcessRequest.Guard,
	Effect: func(s, n *State, p One) {
		n.proposeWith(p.I, 0)
		n.Unlogged[p.I]++
	},
}

// LeaderSyncProcessorLogRequest logs the leader's first transaction that is not logged, and counts
// the leader's own acknowledgement of it.
//
// ZooKeeper: SyncRequestProcessor.run, AckRequestProcessor.processRequest, Leader.processAck.
//
// Deviation: the log is on disk when it is written, one transaction at a time. ZooKeeper flushes
// and acknowledges in batches. A batch can be taken apart into these steps, so no behaviour is
// hidden except a crash between a write and its flush, which loses the transaction like a crash
// before the write.
var LeaderSyncProcessorLogRequest = Action[One]{
	Name:   "LeaderSyncProcessorLogRequest",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.isLeader(p.I) && s.Unlogged[p.I] > 0 },
	Effect: func(s, n *State, p One) {
		k := s.logged(p.I) + 1
		n.Unlogged[p.I]--
		if k <= int(s.LastCommitted[p.I]) {
			return // the followers were a quorum without the leader
		}
		n.AckSid[p.I][ackSlot(k)].Add(p.I)
		n.tryToCommit(p.I, k)
	},
}

// logged is the number of transactions in i's log.
func (s *State) logged(i Server) int { return s.History[i].Len() - int(s.Unlogged[i]) }

// leaderLogs ends the log thread of a server that leads no more. A crash loses what the thread has
// not logged. A shutdown waits until it has logged all of its queue.
//
// ZooKeeper: ProposalRequestProcessor.shutdown, SyncRequestProcessor.shutdown.
var leaderLogs = modules.AfterAny(func(s, n *State) {
	for i := range Server(Servers) {
		if s.Unlogged[i] == 0 || n.State[i] == LEADING {
			continue
		}
		if !n.isOn(i) {
			n.History[i].Truncate(s.logged(i))
			n.LastProcessed[i] = Number(n.History[i].Len())
		}
		n.Unlogged[i] = 0
	}
})

var broadcastFineLeader = grains.Refine(grains.Grain[State]{
	Name: "fine-leader",
	Doc:  "As fine-concurrent, and the leader proposes and logs in two threads.",
	Actions: Actions{&LeaderProcessRequestAsync, &LeaderSyncProcessorLogRequest, &FollowerProcessPROPOSALAsync,
		&FollowerSyncProcessorLogRequest, &LeftSyncProcessorLogRequest, &LeaderProcessNextACK,
		&FollowerProcessCOMMITAsync, &FollowerCommitProcessorCommit},
	Rules: append(shutdowns, leaderLogs,
		modules.After(&LeaderProcessRequestAsync, func(s, n *State, p One) { n.recordProposal(p.I) })),
	Invariants: append(broadcastAssertions, concurrentAssertions...),
	Budgets:    []modules.Budget[State]{modules.Spend[State]("requests", &LeaderProcessRequestAsync)},
	Models: append(broadcastFineConcurrent.Models,
		"org.apache.zookeeper.server.quorum.AckRequestProcessor.processRequest",
		"org.apache.zookeeper.server.quorum.ProposalRequestProcessor.shutdown"),
}, broadcastFineConcurrent)
