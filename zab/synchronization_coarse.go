package zab

import "github.com/multigrain/multigrain/grains"

// Synchronization at a coarser grain than its baseline, for Broadcast under test or others: a
// leader opens Synchronization with a follower, from when on that gets every proposal; the follower
// adopts the history and the epoch at once; the leader counts it, and it serves. Every step is a
// sequence of the baseline's, so none of its behaviours is false.
//
// The leader's count stays a step of its own (LeaderProcessACKLD). If it were one step with the
// follower's, a leader that crashes in between would already have served, and Election would miss
// that in its votes.

// AdoptHistory takes follower p.I through all that its leader p.J has sent it in Synchronization.
// That is the history and, with NEWLEADER, the epoch. After the answer to NEWLEADER it is what has
// been proposed since, and UPTODATE.
//
// It stands for FollowerProcessSyncMessage, FollowerProcessPROPOSALInSync,
// FollowerProcessCOMMITInSync, FollowerProcessNEWLEADER and FollowerProcessUPTODATE. Paper: Zab
// phase 2.
var AdoptHistory = Action[Pair]{
	Name:   "AdoptHistory",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.leads(p.J, p.I) && s.ZabState[p.I] == SYNCHRONIZATION &&
			s.Msgs.Is(p.J, p.I, DIFF, TRUNC, SNAP, PROPOSAL, COMMIT, NEWLEADER, UPTODATE)
	},
	Effect: func(s, n *State, p Pair) {
		for n.ZabState[p.I] == SYNCHRONIZATION && n.takeInSync(p.I, p.J) {
		}
	},
}

// takeInSync takes follower i's next step in Synchronization with leader j. It reports whether
// there is another.
func (n *State) takeInSync(i, j Server) bool {
	switch {
	case n.Msgs.Is(j, i, DIFF, TRUNC, SNAP):
		return n.openSync(i, j)
	case n.Msgs.Is(j, i, PROPOSAL):
		return n.holdBack(i, j)
	case n.Msgs.Is(j, i, COMMIT):
		return n.noteCommit(i, j)
	case n.Msgs.Is(j, i, NEWLEADER):
		n.acceptNEWLEADER(i, j)
	case n.Msgs.Is(j, i, UPTODATE):
		n.acceptUPTODATE(i, j)
	}
	return false
}

var synchronizationCoarse = grains.Coarsen(grains.Grain[State]{
	Node:       nodeSync,
	Name:       "coarse",
	Doc:        "A follower adopts the leader's history and epoch at once. For Broadcast, Election or Discovery under test.",
	Actions:    Actions{&LeaderSyncFollower, &AdoptHistory, &LeaderProcessACKLD},
	Invariants: synchronizationAssertions,
}, synchronizationBaseline)
