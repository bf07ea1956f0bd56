package published

// NEWLEADER is one step in ZkV3_7_0.tla and two in MSPEC_2.tla.

// FollowerProcessNEWLEADER takes a snapshot after TRUNC or SNAP, accepts the epoch, logs what is
// held back and acknowledges, in one step.
//
// TLA+: FollowerProcessNEWLEADER of ZkV3_7_0.
var FollowerProcessNEWLEADER = Action[Pair]{
	Name:   "FollowerProcessNEWLEADER",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) },
	Effect: func(s, n *State, p Pair) {
		if s.ConnectInfo[p.I].SyncMode != DIFF {
			n.takeSnapshot(p.I)
		}
		n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
		n.ServingState[p.I] = INITIAL
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
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && s.ServingState[p.I] == SHUTDOWN
	},
	Effect: func(s, n *State, p Pair) {
		n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
		n.ServingState[p.I] = INITIAL
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
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && s.ServingState[p.I] == INITIAL
	},
	Effect: func(s, n *State, p Pair) { n.acknowledgeNEWLEADER(p.I, p.J) },
}
