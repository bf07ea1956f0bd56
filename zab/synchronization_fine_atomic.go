package zab

import "github.com/multigrain/multigrain/grains"

// FollowerProcessNEWLEADERTakeSnapshot writes to disk what is in memory only, after TRUNC or SNAP.
// The message stays.
//
// ZooKeeper: Learner.syncWithLeader, Learner.java:745-747@3.9.1.
var FollowerProcessNEWLEADERTakeSnapshot = Action[Pair]{
	Name:   "FollowerProcessNEWLEADERTakeSnapshot",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && s.appliesInMemory(p.I)
	},
	Effect: func(s, n *State, p Pair) { n.takeSnapshot(p.I) },
}

// FollowerProcessNEWLEADERUpdateEpoch accepts the epoch. The message stays; what is held back is
// not yet on disk.
//
// Paper: figure 3a of Remix, half of Zab's step f.2.1. TLA+: FollowerProcessNEWLEADER of MSPEC_2.
// ZooKeeper: Learner.syncWithLeader, QuorumPeer.setCurrentEpoch, Learner.java:745-751@3.9.1.
var FollowerProcessNEWLEADERUpdateEpoch = Action[Pair]{
	Name:   "FollowerProcessNEWLEADERUpdateEpoch",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && !s.appliesInMemory(p.I) &&
			s.ServingState[p.I] == SHUTDOWN && !s.logsFirst(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
		n.ServingState[p.I] = INITIAL
	},
}

// FollowerProcessNEWLEADERLog logs what is held back and acknowledges NEWLEADER, then each
// transaction. With a fix that logs in NEWLEADER's own thread these are two steps. The first one
// comes before the epoch is accepted, if the fix says so.
//
// Paper: figures 3b and 3c of Remix, the other half of Zab's step f.2.1, here in one step. TLA+:
// FollowerProcessNEWLEADERAfterCurrentEpochUpdated of MSPEC_2. ZooKeeper: Learner.syncWithLeader,
// Learner.java:752-770@3.9.1.
var FollowerProcessNEWLEADERLog = Action[Pair]{
	Name:   "FollowerProcessNEWLEADERLog",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && (s.ServingState[p.I] == INITIAL || s.logsFirst(p.I))
	},
	Effect: func(s, n *State, p Pair) {
		if logsAtOnce && s.hasToLog(p.I) {
			n.logHeldBack(p.I)
			n.beginNEWLEADER(p.I)
			return
		}
		n.acknowledgeNEWLEADER(p.I, p.J)
	},
}

var synchronizationFineAtomic = grains.Refine(grains.Grain[State]{
	Node: nodeSync,
	Name: "follower-steps",
	Doc:  "A follower accepts the epoch in one step, the history in another.",
	Actions: Actions{&LeaderSyncFollower, &FollowerProcessSyncMessage, &FollowerProcessPROPOSALInSync,
		&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADERTakeSnapshot, &FollowerProcessNEWLEADERUpdateEpoch,
		&FollowerProcessNEWLEADERLog, &LeaderProcessACKLD, &FollowerProcessUPTODATE,
		&FollowerGivesUp, &FollowerExitsAtTRUNC, &FollowerIgnoresSync, &FollowerHoldsBackAfterGap, &FollowerIgnoresCOMMIT,
		&FollowerExitsAtUPTODATE},
	Invariants: synchronizationAssertions,
}, synchronizationBaseline)
