package zab

import "github.com/multigrain/multigrain/modules"

// A follower has three threads: QuorumPeer takes messages and hands transactions to the
// SyncRequestProcessor, which logs and acknowledges them, and commits to the CommitProcessor, which
// applies them. The queues between them are QueuedRequests and CommittedRequests.
//
// Deviation: a leader has one thread, which logs and acknowledges a proposal when it makes it. That
// hides configs/zab/bugs/truncated-ack.hcl; the leader-threads grains have the leader's threads.

// FollowerSyncProcessorLogRequest logs the first transaction in the queue and acknowledges it.
//
// Paper: figure 4a of Remix. ZooKeeper: SyncRequestProcessor.run,
// SyncRequestProcessor.java:162-220@3.9.1, SendAckRequestProcessor.processRequest.
//
// What is appended and not flushed counts as queued; see decisions 0156 and 0206. A batch is
// several of these steps.
var FollowerSyncProcessorLogRequest = Action[Pair]{
	Name:   "FollowerSyncProcessorLogRequest",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && !s.QueuedRequests[p.I].Empty()
	},
	Effect: func(s, n *State, p Pair) {
		t := n.QueuedRequests[p.I].PopFront()
		n.appendToLog(p.I, t)
		n.say(p.I, p.J, Msg{Kind: ACK, Zxid: t.Zxid})
	},
}

// LeftSyncProcessorLogRequest logs the first transaction in the queue of a SyncRequestProcessor
// that a shutdown has left running (ZOOKEEPER-4712). Nobody hears of it: what the server takes for
// its last transaction was read at the shutdown, and the connection on which to acknowledge is
// closed.
//
// TLA+: FollowerSyncProcessorLogRequest, there of a server that looks for a leader only. ZooKeeper:
// SyncRequestProcessor.run.
//
// Deviation: what comes after a later transaction is lost, see appendToLog, and a leader's log has
// nothing of it, see loadDatabase. The server has delivered the transaction when it delivers the
// next one; in ZooKeeper, when it starts again. With option disk = "apart" only what the thread
// logs while the server leads is missing. That hides records of an earlier epoch between those of a
// leader.
var LeftSyncProcessorLogRequest = Action[One]{
	Name:   "LeftSyncProcessorLogRequest",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isOn(p.I) && s.State[p.I] != LEADING && !s.LeftRequests[p.I].Empty()
	},
	Effect: func(s, n *State, p One) {
		n.logAfterShutdown(p.I, n.LeftRequests[p.I].PopFront())
	},
}

// FollowerCommitProcessorCommit applies the first committed transaction.
//
// TLA+: FollowerCommitProcessorCommit. ZooKeeper: CommitProcessor.run,
// CommitProcessor.java:290-383@3.9.1.
//
// Deviation: it waits until the transaction is logged, so that what is delivered is always a prefix
// of the history. ZooKeeper's CommitProcessor does not wait. That hides a follower whose memory is
// ahead of its log (ZOOKEEPER-4882); option apply_before_log has it.
var FollowerCommitProcessorCommit = Action[One]{
	Name:   "FollowerCommitProcessorCommit",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isFollower(p.I) && !s.CommittedRequests[p.I].Empty() && s.firstCommitIsLogged(p.I)
	},
	Effect: func(s, n *State, p One) { n.applyCommitted(p.I, n.CommittedRequests[p.I].PopFront()) },
}

// FollowerCommitProcessorApply applies the first committed transaction, whether it is logged or
// not. The CommitProcessor and the SyncRequestProcessor are two threads, and neither waits for the
// other (ZOOKEEPER-4882).
//
// ZooKeeper: CommitProcessor.run, CommitProcessor.java:290-383@3.9.1; FinalRequestProcessor,
// ZooKeeperServer.processTxn, ZooKeeperServer.java:1865-1905@3.9.1. For option disk = "apart".
var FollowerCommitProcessorApply = Action[One]{
	Name:   "FollowerCommitProcessorApply",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isFollower(p.I) && !s.CommittedRequests[p.I].Empty() && (disksApart || s.firstCommitIsLogged(p.I))
	},
	Effect: func(s, n *State, p One) {
		z := n.CommittedRequests[p.I].PopFront()
		for k := 1; k <= n.QueuedRequests[p.I].Len(); k++ {
			if t := n.QueuedRequests[p.I].At(k); t.Zxid == z {
				n.addTxn(p.I, t) // it is applied from the request, and will be logged
			}
		}
		n.applyCommitted(p.I, z)
	},
}

// firstCommitIsLogged reports whether follower i has logged the first committed transaction.
func (s *State) firstCommitIsLogged(i Server) bool {
	return position(&s.History[i], s.CommittedRequests[i].At(1)) <= s.History[i].Len()
}

// applyCommitted makes follower i apply the transaction z of its history.
func (n *State) applyCommitted(i Server, z Zxid) {
	k := Number(position(&n.History[i], z))
	n.LastCommitted[i] = max(n.LastCommitted[i], k)
	n.applyAt(i, k)
	if disksApart {
		n.noteCommitted(i, n.History[i].At(int(k)))
	}
}

// shutdowns are the rules of faults on threads, a part of the follower-threads grain of Broadcast.
//
// A fault waits for followers that it takes back to looking for a leader while they process
// NEWLEADER. They would notice only after it, and what they send meanwhile is lost. With the fix of
// ZOOKEEPER-4712 it waits for their SyncRequestProcessors, too. Both give the same states as a
// fault that comes first, and a shutdown that is a step of its own.
var shutdowns = []modules.Rule[State]{
	modules.When(&NodeCrash, func(s *State, p Crash) bool { return s.mayCrash(p.I) }),
	modules.When(&NodeLosesPower, func(s *State, p One) bool { return s.mayCrash(p.I) }),
	modules.When(&NodeLosesRolledLog, func(s *State, p One) bool { return s.mayCrash(p.I) }),
	modules.When(&NodeLosesEpochs, func(s *State, p Renames) bool { return s.mayCrash(p.I) }),
	modules.When(&NodeLosesTruncation, func(s *State, p One) bool { return s.mayCrash(p.I) }),
	modules.When(&NodeCrashBeforeForce, func(s *State, p Flush) bool { return s.mayCrash(p.I) }),
	modules.When(&PartitionStart, func(s *State, p Pair) bool {
		return s.State[p.I] != LEADING || s.settled(s.leaving(p.I, p.J))
	}),
	modules.When(&FollowerGivesUp, func(s *State, p Pair) bool { return s.settled(s.leaving(p.J, p.I)) }),
	modules.When(&FollowerHoldsBackAfterGapAsync, func(s *State, p Pair) bool {
		return !committedLogIsComplete || s.settled(s.leaving(p.J, p.I))
	}),
	modules.When(&FollowerExitsAtTRUNC, maySettleWithout),
	modules.When(&FollowerExitsAtUPTODATEAsync, maySettleWithout),
	modules.When(&FollowerExitsAtCOMMITAsync, maySettleWithout),
	modules.When(&LeaderTimesOutAtNEWLEADER, func(s *State, p One) bool { return s.settled(s.Learners[p.I]) }),
	modules.After(&NodeCrash, func(s, n *State, p Crash) { n.leaveThreads(s) }),
	modules.After(&NodeLosesPower, func(s, n *State, p One) { n.leaveThreads(s) }),
	modules.After(&NodeLosesRolledLog, func(s, n *State, p One) { n.leaveThreads(s) }),
	modules.After(&NodeLosesEpochs, func(s, n *State, p Renames) { n.leaveThreads(s) }),
	modules.After(&NodeLosesTruncation, func(s, n *State, p One) { n.leaveThreads(s) }),
	modules.After(&NodeCrashBeforeForce, func(s, n *State, p Flush) { n.leaveThreads(s) }),
	modules.After(&PartitionStart, func(s, n *State, p Pair) { n.leaveThreads(s) }),
	modules.After(&FollowerGivesUp, func(s, n *State, p Pair) { n.leaveThreads(s) }),
	modules.After(&FollowerHoldsBackAfterGapAsync, func(s, n *State, p Pair) { n.leaveThreads(s) }),
	modules.After(&FollowerExitsAtUPTODATEAsync, func(s, n *State, p Pair) { n.leaveThreads(s) }),
	modules.After(&FollowerExitsAtTRUNC, func(s, n *State, p Pair) { n.leaveThreads(s) }),
	modules.After(&FollowerExitsAtCOMMITAsync, func(s, n *State, p Pair) { n.leaveThreads(s) }),
	modules.After(&LeaderTimesOutAtNEWLEADER, func(s, n *State, p One) { n.leaveThreads(s) }),
	modules.After(&ElectionAndDiscovery, func(s, n *State, p Party) { n.loadDatabase(p.I) }),
	modules.After(&QuorumElection, func(s, n *State, p Party) { n.loadDatabase(p.I) }),
	modules.After(&ElectLeader, func(s, n *State, p Party) { n.loadDatabase(p.I) }),
	modules.After(&FLEHandleNotmsg, func(s, n *State, p One) { n.loadDatabase(p.I) }),
	modules.After(&FLEWaitNewNotmsgEnd, func(s, n *State, p One) { n.loadDatabase(p.I) }),
}

// loadDatabase makes the history of a new leader what it has in memory. ZooKeeper:
// ZooKeeperServer.loadData.
//
// Deviation: what a SyncRequestProcessor logs after a shutdown stays in the log of ZooKeeper's
// leader, between what it serves and what it proposes. Here it is gone. That hides that a restart
// reads it again; option disk = "apart" keeps it.
func (n *State) loadDatabase(i Server) {
	if n.State[i] == LEADING {
		n.History[i].Truncate(int(n.LastProcessed[i]))
		n.InitialHistory[i] = min(n.InitialHistory[i], n.LastProcessed[i])
	}
}

// maySettleWithout reports whether the process of follower p.I may exit, which ends its threads.
func maySettleWithout(s *State, p Pair) bool { return s.settled(s.leaving(p.J, p.I).Without(p.I)) }
