package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Synchronization with the threads of a follower: NEWLEADER and UPTODATE hand transactions to the
// SyncRequestProcessor and do not wait for it. So its acknowledgements come at any time. See
// broadcast_threads.go for the other threads.

// FollowerHoldBackPROPOSAL holds a proposal back. It must follow the one before it in this
// Synchronization, the first one may be anything.
//
// TLA+: FollowerProcessPROPOSALInSync. ZooKeeper: Learner.syncWithLeader,
// Learner.java:626-648@3.9.1.
var FollowerHoldBackPROPOSAL = Action[Pair]{
	Name:   "FollowerHoldBackPROPOSAL",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, PROPOSAL)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, PROPOSAL)
		last := s.lastHeldBack(p.I)
		if last != (Zxid{}) && !m.Zxid.Follows(last) {
			n.Raised.Raise(ProposalGapInSync)
			return
		}
		n.PacketsSync[p.I].NotCommitted.Append(Txn{Zxid: m.Zxid, Value: m.Data})
	},
}

// FollowerProcessNEWLEADERLogPackets hands what is held back to the SyncRequestProcessor. With a
// fix that logs in NEWLEADER's own thread it logs, and before the epoch is accepted where the fix
// says so. The message stays.
//
// Paper: figure 3b of Remix, where it is FollowerProcessNEWLEADER_LogAsync. ZooKeeper:
// Learner.syncWithLeader, Learner.java:759-765@3.9.1.
var FollowerProcessNEWLEADERLogPackets = Action[Pair]{
	Name:   "FollowerProcessNEWLEADERLogPackets",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && s.hasToLog(p.I) &&
			(s.ServingState[p.I] == INITIAL || s.logsFirst(p.I))
	},
	Effect: func(s, n *State, p Pair) {
		if !logsAtOnce {
			n.queuePackets(p.I)
			return
		}
		for k := 1; k <= s.PacketsSync[p.I].NotCommitted.Len() && !commitsFirst; k++ {
			n.PendingTxns[p.I].Append(s.PacketsSync[p.I].NotCommitted.At(k).Zxid)
		}
		n.logHeldBack(p.I)
		n.beginNEWLEADER(p.I)
	},
}

// FollowerProcessNEWLEADERReplyAck acknowledges NEWLEADER.
//
// Paper: figure 3c of Remix. ZooKeeper: Learner.syncWithLeader, Learner.java:767@3.9.1.
var FollowerProcessNEWLEADERReplyAck = Action[Pair]{
	Name:   "FollowerProcessNEWLEADERReplyAck",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && s.ServingState[p.I] == INITIAL && !s.hasToLog(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, NEWLEADER)
		n.ConnectInfo[p.I] = ConnectInfo{NlRcv: true}
		n.Msgs.Send(p.I, p.J, Msg{Kind: ACKLD, Zxid: m.Zxid})
		if logsAtUPTODATE {
			n.ServingState[p.I] = SHUTDOWN
		}
		if acksBehindNEWLEADER {
			n.acknowledgeLogged(p.I, p.J)
		}
	},
}

// queuePackets hands the transactions held back to the SyncRequestProcessor.
func (n *State) queuePackets(i Server) {
	q := &n.PacketsSync[i].NotCommitted
	n.logRequests(i, q)
	q.Clear()
}

// LeaderProcessFirstACK takes the first acknowledgement that comes from a learner for that of
// NEWLEADER, whatever it is. The leader gives up on one of another zxid (ZOOKEEPER-4685), unless it
// has its quorum already.
//
// Paper: Zab phase 2, step l.2.2. TLA+: LeaderProcessACK. ZooKeeper: LearnerHandler.run,
// LearnerHandler.java:617-653@3.9.1, Leader.waitForNewLeaderAck, Leader.startZkServer.
var LeaderProcessFirstACK = Action[Pair]{
	Name:   "LeaderProcessFirstACK",
	Params: EachPair,
	Guard:  mayTakeFirstACK,
	Effect: func(s, n *State, p Pair) {
		n.waitForNewLeaderAck(p.I, p.J, n.Msgs.Recv(p.J, p.I, ACKLD, ACK).Zxid)
		n.AckldRecv[p.I].Connected.Add(p.J)
	},
}

// FollowerProcessUPTODATEAsync acknowledges UPTODATE, hands over what has come after NEWLEADER, to
// be logged and to be committed, and starts to serve.
//
// Paper: Zab phase 2, step f.2.2. TLA+: FollowerProcessUPTODATE. ZooKeeper: Learner.syncWithLeader,
// Learner.java:717-731 and 773-798@3.9.1.
var FollowerProcessUPTODATEAsync = Action[Pair]{
	Name:   "FollowerProcessUPTODATEAsync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, UPTODATE)
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Recv(p.J, p.I, UPTODATE)
		n.say(p.I, p.J, Msg{Kind: ACK, Zxid: epochZxid(s.CurrentEpoch[p.I])})
		// NEWLEADER has logged these.
		for k := 1; acksBehindUPTODATE && k <= s.PendingTxns[p.I].Len(); k++ {
			if NodeSteps {
				n.say(p.I, p.J, Msg{Kind: ACK, Zxid: s.PendingTxns[p.I].At(k)})
				continue
			}
			n.Msgs.Send(p.I, p.J, Msg{Kind: ACK, Zxid: s.PendingTxns[p.I].At(k)})
		}
		n.LastCommitted[p.I] = s.LastProcessed[p.I]
		n.queuePackets(p.I)
		n.commitRequests(p.I, &n.PacketsSync[p.I].Committed)
		n.PacketsSync[p.I] = Packets{}
		n.ZabState[p.I] = BROADCAST
		n.ServingState[p.I] = RUNNING
		n.InitialHistory[p.I] = 0
	},
}

// establishments keep the ghost of epochs that a quorum has acknowledged.
var establishments = []modules.Rule[State]{
	modules.After(&LeaderProcessFirstACK, func(s, n *State, p Pair) { n.recordEstablished(p.I) }),
}

var synchronizationFineConcurrent = grains.Refine(grains.Grain[State]{
	Node:     nodeSynced,
	Name:     "follower-threads",
	Doc:      "As follower-steps, and a follower hands transactions to the threads that log and apply them.",
	Requires: []grains.Ref{{Module: "broadcast", Grain: "follower-threads"}},
	Actions: Actions{&LeaderSyncFollower, &FollowerProcessSyncMessage, &FollowerHoldBackPROPOSAL,
		&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADERTakeSnapshot, &FollowerProcessNEWLEADERUpdateEpoch,
		&FollowerProcessNEWLEADERLogPackets, &FollowerProcessNEWLEADERReplyAck, &LeaderProcessFirstACK,
		&FollowerProcessUPTODATEAsync, &FollowerGivesUp, &FollowerExitsAtTRUNC, &LeaderIgnoresFirstACK,
		&FollowerIgnoresSync, &FollowerHoldsBackAfterGapAsync, &FollowerIgnoresCOMMIT, &FollowerExitsAtUPTODATEAsync},
	Rules:      establishments,
	Invariants: synchronizationAssertions,
	Models:     slices.Concat(synchronizationBaseline.Models, []string{"org.apache.zookeeper.server.quorum.Leader.processAck"}),
}, synchronizationFineAtomic)
