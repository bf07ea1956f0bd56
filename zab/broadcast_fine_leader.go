package zab

import (
	"slices"

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
//
// What a quorum has acknowledged is committed, and the leader's CommitProcessor applies it later.
// Only then is it in committedLog, from which a leader decides what a follower has to truncate.
// So a follower that joins between commit and apply truncates a committed transaction.

// LeaderProcessRequestAsync takes a client's write and proposes it. The SyncRequestProcessor will
// log it.
//
// Paper: Zab phase 3, step l.3.1. ZooKeeper: ProposalRequestProcessor.processRequest,
// Leader.propose.
//
// Deviation: only the leader takes requests. That hides nothing of logs and acknowledgements: the
// leader proposes a follower's request in the same way.
var LeaderProcessRequestAsync = Action[One]{
	Name:   "LeaderProcessRequestAsync",
	Params: EachServer,
	Guard:  mayPropose,
	Effect: func(s, n *State, p One) {
		n.proposeWith(p.I, 0)
		n.Unlogged[p.I]++
	},
}

// LeaderProcessNextACKAsync is LeaderProcessNextACK, and leaves what it commits to the
// CommitProcessor.
//
// Paper: Zab phase 3, step l.3.2. ZooKeeper: LearnerHandler.run, Leader.processAck,
// Leader.tryToCommit.
var LeaderProcessNextACKAsync = Action[Pair]{
	Name:   "LeaderProcessNextACKAsync",
	Params: EachPair,
	Guard:  isNextACK,
	Effect: func(s, n *State, p Pair) { n.countAck(p.I, p.J, n.Msgs.Recv(p.J, p.I, ACK, ACKLD).Zxid) },
}

// LeaderSyncProcessorLogRequest logs the leader's first transaction that is not logged, and counts
// the leader's own acknowledgement of it.
//
// ZooKeeper: SyncRequestProcessor.run, AckRequestProcessor.processRequest, Leader.processAck.
//
// What is appended and not flushed counts as not logged; see decision 0156. A batch is several of
// these steps.
var LeaderSyncProcessorLogRequest = Action[One]{
	Name:   "LeaderSyncProcessorLogRequest",
	Params: EachServer,
	Guard:  hasUnlogged,
	Effect: func(s, n *State, p One) { n.logProposed(p.I) },
}

func hasUnlogged(s *State, p One) bool { return s.isLeader(p.I) && s.Unlogged[p.I] > 0 }

// LeaderSyncProcessorLogRequestApply is LeaderSyncProcessorLogRequest, and applies what that
// commits.
var LeaderSyncProcessorLogRequestApply = Action[One]{
	Name:   "LeaderSyncProcessorLogRequestApply",
	Params: EachServer,
	Guard:  hasUnlogged,
	Effect: func(s, n *State, p One) {
		if n.logProposed(p.I) {
			n.applyTo(p.I, n.LastCommitted[p.I])
		}
	},
}

// logProposed logs leader i's first transaction that is not logged, and reports whether that
// commits it.
func (n *State) logProposed(i Server) bool {
	k := n.lenOnDisk(i) + 1
	n.Unlogged[i]--
	n.writeLog(i, n.History[i].At(k))
	if k <= int(n.LastCommitted[i]) {
		return false // the followers were a quorum without the leader
	}
	n.AckSid[i][ackSlot(k)].Add(i)
	return n.tryToCommit(i, k)
}

// LeaderCommitProcessorCommit applies the leader's first committed transaction and adds it to
// committedLog. Then the client has its answer.
//
// ZooKeeper: CommitProcessor.run, Leader.ToBeAppliedRequestProcessor.processRequest,
// FinalRequestProcessor.processRequest, ZKDatabase.addCommittedProposal.
var LeaderCommitProcessorCommit = Action[One]{
	Name:   "LeaderCommitProcessorCommit",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isLeader(p.I) && s.ZabState[p.I] == BROADCAST && s.LastProcessed[p.I] < s.LastCommitted[p.I]
	},
	Effect: func(s, n *State, p One) { n.applyTo(p.I, s.LastProcessed[p.I]+1) },
}

// leaderLogs ends the log thread of a server that leads no more. A crash loses what the thread has
// not logged. A shutdown waits until it has logged all of its queue.
//
// ZooKeeper: ProposalRequestProcessor.shutdown, SyncRequestProcessor.shutdown.
var leaderLogs = modules.AfterAny(func(s, n *State) {
	for i := range Server(Servers) {
		if s.Unlogged[i] == 0 || n.State[i] == LEADING {
			continue
		}
		switch {
		case disksApart && n.isOn(i):
			for k := s.lenOnDisk(i) + 1; k <= s.History[i].Len(); k++ {
				n.logTxn(i, s.History[i].At(k))
			}
			n.applyTo(i, Number(n.History[i].Len()))
		case !disksApart && !n.isOn(i):
			n.History[i].Truncate(s.lenOnDisk(i))
			n.LastProcessed[i] = Number(n.History[i].Len())
		}
		n.Unlogged[i] = 0
	}
})

var (
	broadcastFineLeaderLog = grains.Refine(grains.Grain[State]{
		Node:   nodeLeader,
		Name:   "leader-threads leader_threads=log",
		Was:    []string{"fine-leader-log"},
		Picked: grains.Pick{Grain: "leader-threads", Option: "leader_threads", Value: "log"},
		Doc:    "As follower-threads, and the leader proposes and logs in two threads. It applies what it commits at once.",
		Actions: Actions{&LeaderProcessRequestAsync, &LeaderSyncProcessorLogRequestApply, &LeaderProcessNextACK,
			&FollowerProcessPROPOSALAsync, &FollowerSyncProcessorLogRequest, &LeftSyncProcessorLogRequest,
			&FollowerProcessCOMMITAsync, &FollowerCommitProcessorCommit,
			&FollowerExitsAtCOMMITAsync, &FollowerLogsAfterGapAsync, &LeaderIgnoresNextACK},
		Rules:      slices.Concat(shutdowns, []modules.Rule[State]{leaderLogs, proposals}),
		Invariants: slices.Concat(broadcastAssertions, concurrentAssertions),
		Budgets:    requestsAsync,
		Models:     slices.Concat(broadcastFineConcurrent.Models, modelsLeaderLog),
	}, broadcastFineConcurrent)

	broadcastFineLeaderApply = grains.Refine(grains.Grain[State]{
		Node:   nodeLeader,
		Name:   "leader-threads leader_threads=apply",
		Was:    []string{"fine-leader-apply"},
		Picked: grains.Pick{Grain: "leader-threads", Option: "leader_threads", Value: "apply"},
		Doc:    "As follower-threads, and the leader commits and applies in two threads. It logs what it proposes at once.",
		Actions: Actions{&LeaderProcessRequest, &LeaderProcessNextACKAsync, &LeaderCommitProcessorCommit,
			&FollowerProcessPROPOSALAsync, &FollowerSyncProcessorLogRequest, &LeftSyncProcessorLogRequest,
			&FollowerProcessCOMMITAsync, &FollowerCommitProcessorCommit,
			&FollowerExitsAtCOMMITAsync, &FollowerLogsAfterGapAsync, &LeaderIgnoresNextACK},
		Rules:      shutdowns,
		Invariants: slices.Concat(broadcastAssertions, applyingAssertions),
		Budgets:    broadcastBaseline.Budgets,
		Models:     slices.Concat(broadcastFineConcurrent.Models, modelsLeaderApply),
	}, broadcastFineConcurrent)

	broadcastFineLeader = grains.Refine(grains.Grain[State]{
		Node: nodeLeader,
		Name: "leader-threads",
		Doc:  "As follower-threads, and the leader proposes, logs and applies in three threads.",
		Actions: Actions{&LeaderProcessRequestAsync, &LeaderSyncProcessorLogRequest, &LeaderProcessNextACKAsync,
			&LeaderCommitProcessorCommit, &FollowerProcessPROPOSALAsync, &FollowerSyncProcessorLogRequest,
			&LeftSyncProcessorLogRequest, &FollowerProcessCOMMITAsync, &FollowerCommitProcessorCommit,
			&FollowerExitsAtCOMMITAsync, &FollowerLogsAfterGapAsync, &LeaderIgnoresNextACK},
		Rules:      slices.Concat(shutdowns, []modules.Rule[State]{leaderLogs, proposals}),
		Invariants: slices.Concat(broadcastAssertions, applyingAssertions),
		Budgets:    requestsAsync,
		Models:     slices.Concat(broadcastFineConcurrent.Models, modelsLeaderLog, modelsLeaderApply),
	}, broadcastFineConcurrent)
)

var (
	proposals     = modules.After(&LeaderProcessRequestAsync, func(s, n *State, p One) { n.recordProposal(p.I) })
	requestsAsync = []modules.Budget[State]{modules.Spend[State]("requests", &LeaderProcessRequestAsync)}

	// applyingAssertions are concurrentAssertions where the leader applies in a thread of its own.
	applyingAssertions = []modules.Invariant[State]{
		{ID: "I-11", Instance: "uptodate", OnStep: modules.OnStep(&LeaderProcessNextACKAsync, appliedAtUPTODATE), Doc: uptodateDoc},
	}

	modelsLeaderLog = []string{
		"org.apache.zookeeper.server.quorum.AckRequestProcessor.processRequest",
		"org.apache.zookeeper.server.quorum.ProposalRequestProcessor.shutdown",
	}
	modelsLeaderApply = []string{
		"org.apache.zookeeper.server.quorum.Leader.ToBeAppliedRequestProcessor.processRequest",
		"org.apache.zookeeper.server.FinalRequestProcessor.processRequest",
		"org.apache.zookeeper.server.ZKDatabase.addCommittedProposal",
	}
)
