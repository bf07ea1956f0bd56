package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Broadcast with the threads of a follower: PROPOSAL and COMMIT hand over to them. See
// broadcast_threads.go.

// FollowerProcessPROPOSALAsync hands a proposal to the SyncRequestProcessor.
//
// Paper: Zab phase 3, step f.3.1. TLA+: FollowerProcessPROPOSAL. ZooKeeper: Follower.processPacket,
// Follower.java:160-193@3.9.1.
var FollowerProcessPROPOSALAsync = Action[Pair]{
	Name:   "FollowerProcessPROPOSALAsync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, PROPOSAL)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, PROPOSAL)
		if !m.Zxid.Follows(s.lastProposed(p.I)) {
			n.Raised.Raise(ProposalGap)
			return
		}
		n.logRequest(p.I, Txn{Zxid: m.Zxid, Value: m.Data})
	},
}

// FollowerProcessCOMMITAsync hands the first pending transaction to the CommitProcessor.
//
// Paper: Zab phase 3, step f.3.2. TLA+: FollowerProcessCOMMIT. ZooKeeper: Follower.processPacket,
// FollowerZooKeeperServer.commit.
var FollowerProcessCOMMITAsync = Action[Pair]{
	Name:   "FollowerProcessCOMMITAsync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, COMMIT)
	},
	Effect: func(s, n *State, p Pair) {
		n.commitRequest(p.I, n.Msgs.Recv(p.J, p.I, COMMIT).Zxid)
	},
}

// LeaderProcessNextACK takes an acknowledgement after the first one: that of a proposal, or of
// UPTODATE, or that of NEWLEADER where an acknowledgement of a proposal has come before it. The
// latter two have no effect.
//
// Paper: Zab phase 3, step l.3.2. TLA+: LeaderProcessACK. ZooKeeper: LearnerHandler.run,
// LearnerHandler.java:655-683@3.9.1, Leader.processAck, Leader.tryToCommit.
var LeaderProcessNextACK = Action[Pair]{
	Name:   "LeaderProcessNextACK",
	Params: EachPair,
	Guard:  isNextACK,
	Effect: func(s, n *State, p Pair) {
		n.processAck(p.I, p.J, n.Msgs.Recv(p.J, p.I, ACK, ACKLD).Zxid)
	},
}

// concurrentAssertions are the assertions that the threads of a follower add to I-11.
var concurrentAssertions = []modules.Invariant[State]{
	{ID: "I-11", Instance: "uptodate", OnStep: modules.OnStep(&LeaderProcessNextACK, appliedAtUPTODATE),
		Doc: uptodateDoc},
}

const uptodateDoc = "Bad state: the leader takes the ACK of UPTODATE of a follower that has not applied the history with which " +
	"the epoch began, ZOOKEEPER-3023 (Zab1_0Test.java:790@3.9.1 asserts it; no code of the server does)."

// appliedAtUPTODATE reports whether follower p.J has applied what it was synchronised with, if the
// leader takes its acknowledgement of UPTODATE. A server that has crashed or looks for a leader
// since does not serve, so nothing is asked of it. Only grain endpoints has such a server there.
func appliedAtUPTODATE(s, n *State, p Pair) bool {
	if !s.follows(p.J, p.I) || !s.Msgs.Is(p.J, p.I, ACK) || s.Msgs.Peek(p.J, p.I, ACK).Zxid.Counter != 0 {
		return true
	}
	return s.delivered(p.J) >= s.EpochHistory[s.AcceptedEpoch[p.I]-1].Len()
}

// broadcastFineApply lets a memory have transactions that its disk lacks: what is applied and not
// logged is in the queue of the SyncRequestProcessor. So I-15.disk, which asks for the disk alone,
// does not hold.
var broadcastFineApply = grains.Refine(grains.Grain[State]{
	Node:     nodeLeader,
	Name:     "follower-threads apply_before_log=true",
	Was:      []string{"fine-apply"},
	Picked:   grains.Pick{Grain: "follower-threads", Option: "apply_before_log", Value: "true"},
	Doc:      "As follower-threads, and applying does not wait for the log. For option disk = \"apart\".",
	Needs:    diskNeeds,
	Requires: []grains.Ref{{Module: "synchronization", Grain: "follower-threads"}},
	Actions: Actions{&LeaderProcessRequest, &FollowerProcessPROPOSALAsync, &FollowerSyncProcessorLogRequest,
		&LeftSyncProcessorLogRequest, &LeaderProcessNextACK, &FollowerProcessCOMMITAsync, &FollowerCommitProcessorApply,
		&FollowerExitsAtCOMMITAsync, &FollowerLogsAfterGapAsync, &LeaderIgnoresNextACK},
	Rules:      shutdowns,
	Invariants: slices.Concat(broadcastAssertions, concurrentAssertions),
	Budgets:    broadcastBaseline.Budgets,
	Models:     broadcastFineConcurrent.Models,
}, broadcastFineConcurrent)

var broadcastFineConcurrent = grains.Refine(grains.Grain[State]{
	Node:     nodeThreads,
	Name:     "follower-threads",
	Doc:      "A follower takes messages, logs and applies in three threads.",
	Requires: []grains.Ref{{Module: "synchronization", Grain: "follower-threads"}},
	Actions: Actions{&LeaderProcessRequest, &FollowerProcessPROPOSALAsync, &FollowerSyncProcessorLogRequest,
		&LeftSyncProcessorLogRequest, &LeaderProcessNextACK, &FollowerProcessCOMMITAsync, &FollowerCommitProcessorCommit,
		&FollowerExitsAtCOMMITAsync, &FollowerLogsAfterGapAsync, &LeaderIgnoresNextACK},
	Rules:      shutdowns,
	Invariants: slices.Concat(broadcastAssertions, concurrentAssertions),
	Budgets:    broadcastBaseline.Budgets,
	Models: slices.Concat(broadcastBaseline.Models, []string{
		"org.apache.zookeeper.server.SyncRequestProcessor.run",
		"org.apache.zookeeper.server.SyncRequestProcessor.flush",
		"org.apache.zookeeper.server.SyncRequestProcessor.shutdown",
		"org.apache.zookeeper.server.quorum.CommitProcessor.run",
		"org.apache.zookeeper.server.quorum.CommitProcessor.commit",
		"org.apache.zookeeper.server.quorum.LearnerZooKeeperServer.shutdown",
	}),
}, broadcastBaseline)
