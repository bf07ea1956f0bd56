package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// NEWLEADER is one step in ZkV3_7_0.tla and two in MSPEC_2.tla.

// FollowerProcessNEWLEADER takes a snapshot after TRUNC or SNAP, accepts the epoch, logs what is
// held back and acknowledges, in one step.
//
// TLA+: FollowerProcessNEWLEADER of ZkV3_7_0.
var FollowerProcessNEWLEADER = Action[Pair]{
	Name:   "FollowerProcessNEWLEADER",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.NEWLEADER) },
	Effect: func(s, n *State, p Pair) {
		if s.ConnectInfo[p.I].SyncMode != tla.DIFF {
			n.takeSnapshot(p.I)
		}
		n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
		n.ServingState[p.I] = tla.INITIAL
		n.acknowledgeNEWLEADER(p.I, p.J)
	},
}

// FollowerProcessNEWLEADERUpdateEpoch accepts the epoch. The message stays.
//
// TLA+: FollowerProcessNEWLEADER of MSPEC_2. Remix: figure 3a.
var FollowerProcessNEWLEADERUpdateEpoch = Action[Pair]{
	Name:   "FollowerProcessNEWLEADERUpdateEpoch",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.NEWLEADER) && s.ServingState[p.I] == tla.SHUTDOWN
	},
	Effect: func(s, n *State, p Pair) {
		n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
		n.ServingState[p.I] = tla.INITIAL
	},
}

// FollowerProcessNEWLEADERLog logs what is held back and acknowledges NEWLEADER, then each
// transaction.
//
// TLA+: FollowerProcessNEWLEADERAfterCurrentEpochUpdated of MSPEC_2.
var FollowerProcessNEWLEADERLog = Action[Pair]{
	Name:   "FollowerProcessNEWLEADERLog",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.NEWLEADER) && s.ServingState[p.I] == tla.INITIAL
	},
	Effect: func(s, n *State, p Pair) { n.acknowledgeNEWLEADER(p.I, p.J) },
}

var synchronizationFineAtomic = grains.Refine(grains.Grain[State]{
	Name: "follower-steps",
	Doc:  "A follower accepts the epoch in one step, the history in another, as MSPEC_2 has it.",
	Actions: Actions{&LeaderSyncFollower, &FollowerProcessSyncMessage, &FollowerProcessPROPOSALInSync,
		&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADERUpdateEpoch, &FollowerProcessNEWLEADERLog,
		&LeaderProcessACKLD, &FollowerProcessUPTODATE},
	Invariants: synchronizationAssertions,
}, synchronizationBaseline)
