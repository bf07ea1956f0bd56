package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Synchronization where the leader queues NEWLEADER in a step of its own. The LearnerHandler
// decides and starts forwarding under the leader's lock. It queues NEWLEADER without the lock. In
// between, other threads propose and commit, and their messages come before NEWLEADER.
//
// A follower that got TRUNC applies a COMMIT before NEWLEADER in memory only.

// LeaderOpensSync is LeaderSyncFollower up to NEWLEADER.
//
// ZooKeeper: LearnerHandler.syncFollower and Leader.startForwarding, which hold the lock of
// committedLog and of the leader: LearnerHandler.java:801-927@3.9.1, Leader.java:1312-1343@3.9.1.
// At 800-926@3.8.0.
var LeaderOpensSync = Action[Pair]{
	Name:   "LeaderOpensSync",
	Params: EachPair,
	Guard:  maySynchronise,
	Effect: func(s, n *State, p Pair) {
		e := s.Electing[p.I].At(p.J)
		n.openSyncWith(p.I, p.J, e.PeerLastZxid)
		n.Electing[p.I].Put(p.J, Elector{PeerLastZxid: Opened(), InQuorum: e.InQuorum})
	},
}

// LeaderQueuesNEWLEADER is the end of LeaderSyncFollower. A snapshot is sent with what the memory
// of the leader has now. Proposals that came between are in the snapshot, and follow it, too.
//
// ZooKeeper: LearnerHandler.run, LearnerHandler.java:541-610@3.9.1.
var LeaderQueuesNEWLEADER = Action[Pair]{
	Name:   "LeaderQueuesNEWLEADER",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		e := &s.Electing[p.I]
		return s.leads(p.I, p.J) && e.Has(p.J) && e.At(p.J).PeerLastZxid == Opened()
	},
	Effect: func(s, n *State, p Pair) {
		n.sendSnapshot(p.I, p.J)
		n.sendNEWLEADER(p.I, p.J)
		n.Electing[p.I].Put(p.J, Elector{PeerLastZxid: Synced(), InQuorum: s.Electing[p.I].At(p.J).InQuorum})
	},
}

// sendSnapshot makes a SNAP that leader i has decided to send to j that of its memory now. The zxid
// is read twice: syncFollower forwards the proposals after the first one. Without disks apart the
// second reading is that of the decision.
//
// ZooKeeper: LearnerHandler.java:549-566@3.9.1.
func (n *State) sendSnapshot(i, j Server) {
	if !disksApart || !n.Msgs.Is(i, j, SNAP) {
		return
	}
	n.Msgs.Recv(i, j, SNAP)
	n.open(i, j, SNAP, n.snapZxid(i))
	for n.Msgs.Is(i, j, PROPOSAL, COMMIT) { // what is queued after it stays after it
		m := n.Msgs.Recv(i, j, PROPOSAL, COMMIT)
		if m.Kind == PROPOSAL {
			n.Msgs.Send(i, j, Msg{Kind: PROPOSAL, Zxid: m.Zxid, Data: m.Data})
		} else {
			n.Msgs.Send(i, j, Msg{Kind: COMMIT, Zxid: m.Zxid})
		}
	}
}

// sentWithNEWLEADER: what is queued before NEWLEADER stays at the leader until NEWLEADER is queued,
// since the sender starts after that. LearnerHandler.run, LearnerHandler.java:606-613@3.9.1.
//
// Deviation: a snapshot is sent before. A follower that takes it in and loses its leader before
// NEWLEADER is queued clears its database, as one that never got it. That hides nothing.
var sentWithNEWLEADER = modules.When(&FollowerProcessSyncMessage, func(s *State, p Pair) bool {
	e := &s.Electing[p.J]
	return !e.Has(p.I) || e.At(p.I).PeerLastZxid != Opened()
})

var synchronizationFineLeader = grains.Refine(grains.Grain[State]{
	Node:     nodeOpening,
	Name:     "leader-threads",
	Doc:      "As follower-threads, and the leader queues NEWLEADER in a step of its own.",
	Requires: []grains.Ref{{Module: "broadcast", Grain: "follower-threads"}},
	Actions: Actions{&LeaderOpensSync, &LeaderQueuesNEWLEADER, &FollowerProcessSyncMessage, &FollowerHoldBackPROPOSAL,
		&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADERTakeSnapshot, &FollowerProcessNEWLEADERUpdateEpoch,
		&FollowerProcessNEWLEADERLogPackets, &FollowerProcessNEWLEADERReplyAck, &LeaderProcessFirstACK,
		&FollowerProcessUPTODATEAsync, &FollowerGivesUp, &FollowerExitsAtTRUNC, &LeaderIgnoresFirstACK,
		&FollowerIgnoresSync, &FollowerHoldsBackAfterGapAsync, &FollowerIgnoresCOMMIT, &FollowerExitsAtUPTODATEAsync},
	Rules:      slices.Concat([]modules.Rule[State]{sentWithNEWLEADER}, establishments),
	Invariants: synchronizationAssertions,
	Models:     slices.Concat(synchronizationFineConcurrent.Models, []string{"org.apache.zookeeper.server.quorum.LearnerHandler.startSendingPackets"}),
}, synchronizationFineConcurrent)
