package zab

import "github.com/multigrain/multigrain/modules"

// The environment module that bounds SandTable's specification of 3.4.3 (systems/ZooKeeper/v3.4.3/bugs/vote_circle), and its property
// NoVoteCircle: it looks at the votes that a server has had one after the other, votes.circle at those that servers have at one
// time. SandTable's published trace is one of ours, step by step, and there is no shorter one.
//
// Deviation: the number of states is not the same. SandTable's have counters of messages sent and received and the last command
// besides, stand for others by a symmetry of servers, and are those of the published system specification, in
// which a crash forgets neither what was received nor whom a leader knew.

// sandtableBounds keep to the order in which SandTable runs the threads of a server, and to its limits: CheckStateConstraints,
// recorder.lock. Those of time-outs and crashes are budgets.
var sandtableBounds = []modules.Rule[State]{
	// Who has to look for a leader does so first, in the order of identities.
	modules.WhenAny(func(s *State) bool { return s.firstToLook() == NullPoint }, &FLELookForLeader),
	modules.When(&FLELookForLeader, func(s *State, p One) bool { return s.firstToLook() == p.I }),
	// What has arrived is handled at once.
	modules.WhenAny(func(s *State) bool { return s.nothingQueued() }, &FLEHandleNotmsg, &FLEWaitNewNotmsg, &FLELookForLeader),
	// Nobody waits in vain for what is on its way.
	modules.When(&FLENotmsgTimeout, func(s *State, p One) bool { return s.nothingSentTo(p.I) }),
	// A server that others may yet follow ends its election before they do.
	modules.When(&FLEWaitNewNotmsgEnd, func(s *State, p One) bool { return s.mayEndElection(p.I) }),
	modules.WhenAny(func(s *State) bool { return s.inFlight() <= MaxWire }),
	// A leader synchronises nobody: the action is left out there.
	modules.When(&LeaderSyncFollower, func(*State, Pair) bool { return false }),
	modules.AfterAny(recordVotes),
}

// voteHistory is NoVoteCircle of SandTable.
var voteHistory = []modules.Invariant[State]{
	{ID: "votes", Instance: "again", OnStep: modules.OnStep(&FLEHandleNotmsg, noVoteAgain),
		Doc: "No server goes back, in one round, to a vote for another one that it has given up (FastLeaderElection.java:723@3.9.1)."},
}

func noVoteAgain(s, n *State, p One) bool {
	return !n.adopts(s, p.I) || s.LogicalClock[p.I] != n.LogicalClock[p.I] || !s.PastVotes[p.I].Has(n.CurrentVote[p.I])
}

// recordVotes notes the votes for others that servers adopt in a round.
func recordVotes(s, n *State) {
	for i := range Server(Servers) {
		if !n.inElection(i) || n.LogicalClock[i] != s.LogicalClock[i] {
			n.PastVotes[i].Clear()
		}
		if n.inElection(i) && n.adopts(s, i) {
			n.PastVotes[i].Add(n.CurrentVote[i])
		}
	}
}

// adopts reports whether i's vote is for another server, and was another one before the step from old.
func (s *State) adopts(old *State, i Server) bool {
	return s.CurrentVote[i] != old.CurrentVote[i] && s.CurrentVote[i].Leader != i
}

// firstToLook is the first server that runs, has no leader and is not yet in an election.
func (s *State) firstToLook() Server {
	for i := range Server(Servers) {
		if s.isOn(i) && s.isLooking(i) && !s.inElection(i) {
			return i
		}
	}
	return NullPoint
}

func (s *State) nothingQueued() bool {
	for i := range s.RecvQueue {
		if !s.RecvQueue[i].Empty() {
			return false
		}
	}
	return true
}

func (s *State) nothingSentTo(i Server) bool {
	for j := range Server(Servers) {
		if !s.ElectionMsgs.Empty(j, i) {
			return false
		}
	}
	return true
}

// mayEndElection reports whether i will lead, or somebody else leads already, or nobody else has a quorum.
func (s *State) mayEndElection(i Server) bool {
	others := false
	for j := range Server(Servers) {
		if j == i {
			continue
		}
		if s.State[j] == LEADING {
			return true
		}
		others = others || s.WaitNotmsg[j]
	}
	return s.CurrentVote[i].Leader == i || !others
}

// inFlight is the number of messages on the way, of all modules.
func (s *State) inFlight() int {
	n := 0
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			n += s.ElectionMsgs.Len(i, j) + s.Msgs.Len(i, j)
		}
	}
	return n
}
