package published

import (
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// mspec2Properties are aaInv of MSPEC_2, and daInv.messageLegal. The others of daInv are I-11 to
// I-14.
var mspec2Properties = []modules.Invariant[State]{
	{ID: "leadership", State: leadership,
		Doc: "There is at most one leader for each epoch."},
	{ID: "prefixConsistency", State: prefixConsistency,
		Doc: "What two processes have committed is the same as far as both go."},
	{ID: "integrity", State: func(s *State) bool { return s.broadcastBy(tla.LEADING) },
		Doc: "What a leader has committed was broadcast."},
	{ID: "agreement", State: agreement,
		Doc: "Of two transactions that two followers have committed, one of them has committed both."},
	{ID: "totalOrder", State: totalOrder,
		Doc: "All processes commit in the same order, without gaps."},
	{ID: "primaryOrder", State: primaryOrder,
		Doc: "Transactions of earlier epochs are committed first."},
	{ID: "monotonicRead", Step: monotonicRead,
		Doc: "A serving leader has committed all that was committed before."},
	{ID: "processConsistency", State: processConsistency,
		Doc: "The history of a follower that has accepted the epoch is a prefix of its leader's."},
	{ID: "leaderLogCompleteness", Step: leaderLogCompleteness,
		Doc: "A leader's history has all that was committed before."},
	{ID: "committedLogDurability", OnStep: modules.OnStep(&FollowerProcessSyncMessage, committedLogDurability),
		Doc: "A follower truncates nothing that was committed."},
	{ID: "messageLegal", State: messageLegal,
		Doc: "No message reaches a server that has no use for it."},
}

func processConsistency(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			follows := s.State[i] == tla.LEADING && s.Learners[i].Has(j) && s.State[j] == tla.FOLLOWING && s.LeaderAddr[j] == i
			if follows && s.CurrentEpoch[j] == s.AcceptedEpoch[j] && !s.History[i].HasPrefix(&s.History[j]) {
				return false
			}
		}
	}
	return true
}

// holdsCommitted reports whether the first k transactions of l's history begin with all that was
// committed before the step.
func holdsCommitted(s, n *State, l Server, k int) bool {
	log := &s.CommittedLog
	if k < log.Len() {
		return false
	}
	for x := 1; x <= log.Len(); x++ {
		if n.History[l].At(x) != log.At(x).Txn {
			return false
		}
	}
	return true
}

func monotonicRead(s, n *State) bool {
	l := n.LeaderOracle
	return l == tla.NullPoint || !n.isLeader(l) || n.ZabState[l] != tla.BROADCAST || holdsCommitted(s, n, l, n.delivered(l))
}

func leaderLogCompleteness(s, n *State) bool {
	l := n.LeaderOracle
	return l == tla.NullPoint || !n.isLeader(l) || holdsCommitted(s, n, l, n.committed(l))
}

func committedLogDurability(s, n *State, p Pair) bool {
	log := &s.CommittedLog
	for k := n.History[p.I].Len() + 1; k <= min(s.History[p.I].Len(), log.Len()); k++ {
		if s.History[p.I].At(k) == log.At(k).Txn {
			return false
		}
	}
	return true
}

// messageLegal: FilterNonexistentMessage is not enabled, for the kinds of messages that MSPEC_2
// has.
//
// Deviation: published, that is an action, whose step makes the property false.
func messageLegal(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			toLeader := s.Msgs.Is(j, i, tla.ACKLD, tla.ACK)
			toFollower := s.Msgs.Is(j, i, tla.NEWLEADER, tla.UPTODATE, tla.PROPOSAL, tla.COMMIT)
			switch s.State[i] {
			case tla.LOOKING:
				if toLeader || toFollower || s.Msgs.Is(j, i, tla.DIFF, tla.TRUNC) {
					return false
				}
			case tla.LEADING:
				if toFollower || toLeader && !s.Learners[i].Has(j) {
					return false
				}
			case tla.FOLLOWING:
				if toLeader || toFollower && s.LeaderAddr[i] != j {
					return false
				}
			}
		}
	}
	return true
}
