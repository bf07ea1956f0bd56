package sandtable

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// SandTable runs the threads of a server one after the other, which leaves most orders of steps
// out.

// sandtableBounds keep to SandTable's order of threads, and to its limits: CheckStateConstraints,
// recorder.lock. The limits of time-outs and crashes are budgets.
var sandtableBounds = []modules.Rule[State]{
	// Servers that have to look for a leader do so first, in the order of identities.
	modules.WhenAny(func(s *State) bool { return s.firstToLook() == NullPoint }, &FLELookForLeader),
	modules.When(&FLELookForLeader, func(s *State, p One) bool { return s.firstToLook() == p.I }),
	// What has arrived is handled at once.
	modules.WhenAny(func(s *State) bool { return s.nothingQueued() }, &FLEHandleNotmsg, &FLEWaitNewNotmsg, &FLELookForLeader),
	// No server waits in vain for what is in flight.
	modules.When(&FLENotmsgTimeout, func(s *State, p One) bool { return s.nothingSentTo(p.I) }),
	// A server that others may yet follow ends its election before they do.
	modules.When(&FLEWaitNewNotmsgEnd, func(s *State, p One) bool { return s.mayEndElection(p.I) }),
	modules.WhenAny(func(s *State) bool { return s.inFlight() <= MaxWire }),
	modules.AfterAny(recordVotes),
}

// voteHistory is NoVoteCircle of SandTable.
var voteHistory = []modules.Invariant[State]{
	{ID: "votes", Instance: "again", OnStep: modules.OnStep(&FLEHandleNotmsg, noVoteAgain),
		Doc: "No server goes back, in one round, to a vote for another one that it has given up " +
			"(FastLeaderElection.totalOrderPredicate, 3.4.3)."},
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

// adopts reports whether i's vote is for another server, and was another one before the step from
// old.
func (s *State) adopts(old *State, i Server) bool {
	return s.CurrentVote[i] != old.CurrentVote[i] && s.CurrentVote[i].Leader != i
}

// firstToLook returns the first server that runs, has no leader and is not yet in an election.
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

// mayEndElection reports whether i will lead, or somebody else leads already, or nobody else has a
// quorum.
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

// inFlight returns the number of messages in flight, of all modules.
func (s *State) inFlight() int {
	count := 0
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			count += s.ElectionMsgs.Len(i, j) + s.Msgs.Len(i, j)
		}
	}
	return count
}

var bounds = grains.Grain[State]{
	Name:       "zk-3.4.3",
	Doc:        "SandTable's order of threads, its limits, and its property of votes.",
	Covers:     []string{"bounds"},
	Rules:      sandtableBounds,
	Invariants: voteHistory,
	Budgets:    []modules.Budget[State]{modules.Spend("timeouts", &FLENotmsgTimeout, &FLEWaitNewNotmsgEnd)},
}
