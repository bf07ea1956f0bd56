package zab

// What ZooKeeper does after an exception.
//
// A step that raises an assertion ends its behaviour: that is how the property is judged, and a
// mask only counts it. With option exceptions = "continue" each exception has a second step, which
// does what the code does next. So a masked assertion hides nothing that follows it. With "end", as
// in the paper, nothing follows.
//
//	CommitUnmatched  FollowerGivesUp: the follower looks for a leader again
//	CommitNotNext    FollowerExitsAtCOMMIT, FollowerExitsAtCOMMITAsync: the process exits
//	CannotTruncate   FollowerExitsAtTRUNC: the process exits
//	AckOtherEpoch    LeaderIgnoresFirstACK: the leader logs an error and continues
//	EpochBehind      nothing: the server stays down, as before the step
//	LogGap           the same
//	FileInPart       the same
//
// exceptions_warnings.go has those at which the code logs a warning and continues.
//
// Deviation: the coarse grains of Synchronization and Broadcast have no such steps, so behaviours
// end there. That hides what follows; the finer grains have it.

// FollowerGivesUp takes follower I back to looking for a leader: its QuorumPeer has thrown a
// NullPointerException at a COMMIT for which it holds no proposal back (ZOOKEEPER-4394).
//
// ZooKeeper: Learner.syncWithLeader, Learner.java:650-652@3.9.1; Follower.followLeader,
// Follower.java:137-144@3.9.1, which catches it and closes the connection; QuorumPeer.run, which
// shuts the follower down.
//
// Deviation: the leader notices in the same step, as at PartitionStart. That hides what it sends
// meanwhile, which nobody reads.
var FollowerGivesUp = Action[Pair]{
	Name:   "FollowerGivesUp",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.follows(p.I, p.J) && s.ZabState[p.I] == SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, COMMIT) &&
			s.commitIsUnmatched(p.I)
	},
	Effect: func(s, n *State, p Pair) { n.loseLearner(p.J, p.I, 0) },
}

// FollowerExitsAtTRUNC ends the process of follower I, which cannot truncate its log. NodeStart
// starts it again.
//
// ZooKeeper: Learner.syncWithLeader, Learner.java:592-600@3.9.1, where requestSystemExit follows.
var FollowerExitsAtTRUNC = Action[Pair]{
	Name:   "FollowerExitsAtTRUNC",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.follows(p.I, p.J) && s.ZabState[p.I] == SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, TRUNC) &&
			s.cannotTruncate(p.I, s.Msgs.Peek(p.J, p.I, TRUNC).Zxid)
	},
	Effect: func(s, n *State, p Pair) { n.exit(p.I, p.J) },
}

// FollowerExitsAtCOMMIT ends the process of follower I, which gets a COMMIT for another transaction
// than the first pending one. NodeStart starts it again.
//
// ZooKeeper: FollowerZooKeeperServer.commit, FollowerZooKeeperServer.java:104-109@3.9.1, where
// requestSystemExit follows.
var FollowerExitsAtCOMMIT = Action[Pair]{
	Name:   "FollowerExitsAtCOMMIT",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		k := int(s.LastCommitted[p.I]) + 1
		return goesOn && s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, COMMIT) &&
			k <= s.History[p.I].Len() && s.History[p.I].At(k).Zxid != s.Msgs.Peek(p.J, p.I, COMMIT).Zxid
	},
	Effect: func(s, n *State, p Pair) { n.exit(p.I, p.J) },
}

// FollowerExitsAtCOMMITAsync is FollowerExitsAtCOMMIT with the threads of a follower.
//
// ZooKeeper: FollowerZooKeeperServer.commit, FollowerZooKeeperServer.java:104-109@3.9.1.
var FollowerExitsAtCOMMITAsync = Action[Pair]{
	Name:   "FollowerExitsAtCOMMITAsync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, COMMIT) &&
			!s.PendingTxns[p.I].Empty() && s.PendingTxns[p.I].At(1) != s.Msgs.Peek(p.J, p.I, COMMIT).Zxid
	},
	Effect: func(s, n *State, p Pair) { n.exit(p.I, p.J) },
}

// LeaderIgnoresFirstACK takes the ACK of a proposal for that of NEWLEADER, and does not count it.
// The LearnerHandler then waits until the leader serves (ZOOKEEPER-4685).
//
// ZooKeeper: Leader.waitForNewLeaderAck, Leader.java:1571-1581@3.9.1, which logs an error and
// returns to LearnerHandler.run.
var LeaderIgnoresFirstACK = Action[Pair]{
	Name:   "LeaderIgnoresFirstACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return goesOn && mayTakeFirstACK(s, p) && !quorumFormed(p.I, s.AckldRecv[p.I].Sids) &&
			s.Msgs.Peek(p.J, p.I, ACKLD, ACK).Zxid != epochZxid(s.AcceptedEpoch[p.I])
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Recv(p.J, p.I, ACKLD, ACK)
		n.AckldRecv[p.I].Connected.Add(p.J)
	},
}
