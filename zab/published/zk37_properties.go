package published

import (
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// zk37Properties are the properties of ZkV3_7_0. Of CheckDuringAction these are messageIllegal and
// what only ZkV3_7_0 can break; the others are I-11 to I-14 and phase.
var zk37Properties = []modules.Invariant[State]{
	{ID: "leadership", State: leadership,
		Doc: "There is at most one leader for each epoch."},
	{ID: "prefixConsistency", State: prefixConsistency,
		Doc: "What two processes have committed is the same as far as both go."},
	{ID: "integrity", State: func(s *State) bool { return s.broadcastBy(tla.FOLLOWING) },
		Doc: "What a follower has committed was broadcast."},
	{ID: "agreement", State: agreement,
		Doc: "Of two transactions that two followers have committed, one of them has committed both."},
	{ID: "totalOrder", State: totalOrder,
		Doc: "All processes commit in the same order, without gaps."},
	{ID: "primaryOrder", State: primaryOrder,
		Doc: "Transactions of earlier epochs are committed first."},
	{ID: "primaryIntegrity", State: primaryIntegrity,
		Doc: "A serving leader has committed what its followers have committed of earlier epochs."},
	{ID: "messageLegal", Raises: modules.Bit(tla.MessageUnexpected),
		Doc: "No message reaches a server that has no use for it."},
	{ID: "snapshotOrder", Raises: modules.Bit(tla.SnapshotAhead),
		Doc: "A snapshot holds all that the one before held."},
}

func primaryIntegrity(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			serves := s.leads(i, j) && s.follows(j, i) && s.ZabState[i] == tla.BROADCAST && s.ZabState[j] == tla.BROADCAST
			for k := 1; k <= s.delivered(j) && serves; k++ {
				t := s.History[j].At(k)
				if t.Zxid.Epoch < s.CurrentEpoch[i] && s.deliveryOf(i, t) == 0 {
					return false
				}
			}
		}
	}
	return true
}

// FilterNonexistentMessage takes a message that no other action would. It must not be enabled.
var FilterNonexistentMessage = Action[Pair]{
	Name:   "FilterNonexistentMessage",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.isUnexpected(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Pop(p.J, p.I)
		n.Raised.Raise(tla.MessageUnexpected)
	},
}

// isUnexpected reports whether i has no use for the first message in flight from j.
func (s *State) isUnexpected(i, j Server) bool {
	if s.Msgs.Empty(j, i) {
		return false
	}
	toLeader, toFollower := false, false
	switch s.Msgs.Head(j, i).Kind {
	case tla.FOLLOWERINFO, tla.ACKEPOCH, tla.ACKLD, tla.ACK:
		toLeader = true
	case tla.LEADERINFO, tla.NEWLEADER, tla.UPTODATE, tla.PROPOSAL, tla.COMMIT:
		toFollower = true
	}
	switch s.State[i] {
	case tla.LEADING:
		return toFollower || toLeader && !s.Learners[i].Has(j)
	case tla.FOLLOWING:
		return toLeader || toFollower && s.LeaderAddr[i] != j
	}
	return true
}
