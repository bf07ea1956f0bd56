package zab

import "github.com/multigrain/multigrain/modules"

// publishedProperties are aaInv of the published mixed specification, and daInv.messageLegal. The others of daInv are I-11 to
// I-14. LocalPrimaryOrder is true of every state as published: it is satisfied by a transaction paired with itself.
var publishedProperties = []modules.Invariant[State]{
	{ID: "leadership", Doc: "There is at most one leader for each epoch.", State: oneLeaderPerEpoch},
	{ID: "prefixConsistency", Doc: "What two processes have committed is the same as far as both go.", State: prefixConsistency},
	{ID: "integrity", Doc: "What a leader has committed was broadcast.", State: publishedIntegrity},
	{ID: "agreement", Doc: "Of two transactions that two followers have committed, one of them has committed both.",
		State: publishedAgreement},
	{ID: "totalOrder", Doc: "All processes commit in the same order, without gaps.", State: publishedTotalOrder},
	{ID: "primaryOrder", Doc: "Transactions of earlier epochs are committed first.", State: publishedPrimaryOrder},
	{ID: "monotonicRead", Doc: "A serving leader has committed all that was committed before.", Step: monotonicRead},
	{ID: "processConsistency", Doc: "The history of a follower that has accepted the epoch is a prefix of its leader's.",
		State: processConsistency},
	{ID: "leaderLogCompleteness", Doc: "A leader's history has all that was committed before.", Step: leaderLogCompleteness},
	{ID: "committedLogDurability", Doc: "A follower truncates nothing that was committed.",
		OnStep: modules.OnStep(&FollowerProcessSyncMessage, committedLogDurability)},
	{ID: "messageLegal", Doc: "No message reaches a server that has no use for it.", State: messageLegal},
}

func prefixConsistency(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if !samePrefix(&s.History[i], &s.History[j], min(s.delivered(i), s.delivered(j))) {
				return false
			}
		}
	}
	return true
}

func publishedIntegrity(s *State) bool {
	for i := range Server(Servers) {
		for k := 1; k <= s.delivered(i) && s.State[i] == LEADING; k++ {
			if !s.wasProposed(s.History[i].At(k)) {
				return false
			}
		}
	}
	return true
}

// wasProposed reports whether a leader has proposed t, according to the published log.
func (s *State) wasProposed(t Txn) bool {
	q := &s.book().Proposals
	for k := 1; k <= q.Len(); k++ {
		if q.At(k).Txn == t {
			return true
		}
	}
	return false
}

func publishedAgreement(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.State[i] == FOLLOWING && s.State[j] == FOLLOWING && !s.agree(i, j) {
				return false
			}
		}
	}
	return true
}

// publishedTotalOrder looks at processes that have committed two transactions at least.
func publishedTotalOrder(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.delivered(i) >= 2 && s.delivered(j) >= 2 && !s.ordered(i, j) {
				return false
			}
		}
	}
	return true
}

func publishedPrimaryOrder(s *State) bool {
	for i := range Server(Servers) {
		if !s.inEpochOrder(i) {
			return false
		}
	}
	return true
}

func processConsistency(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			follows := s.State[i] == LEADING && s.Learners[i].Has(j) && s.State[j] == FOLLOWING && s.LeaderAddr[j] == i
			if follows && s.CurrentEpoch[j] == s.AcceptedEpoch[j] && !s.History[i].HasPrefix(&s.History[j]) {
				return false
			}
		}
	}
	return true
}

// holdsCommitted reports whether the first k transactions of l's history begin with all that was committed before the step.
func holdsCommitted(s, n *State, l Server, k int) bool {
	log := &s.book().CommittedLog
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
	l := n.book().LeaderOracle
	return l == NullPoint || !n.isLeader(l) || n.ZabState[l] != BROADCAST || holdsCommitted(s, n, l, n.delivered(l))
}

func leaderLogCompleteness(s, n *State) bool {
	l := n.book().LeaderOracle
	return l == NullPoint || !n.isLeader(l) || holdsCommitted(s, n, l, n.committed(l))
}

func committedLogDurability(s, n *State, p Pair) bool {
	log := &s.book().CommittedLog
	for k := n.History[p.I].Len() + 1; k <= min(s.History[p.I].Len(), log.Len()); k++ {
		if s.History[p.I].At(k) == log.At(k).Txn {
			return false
		}
	}
	return true
}

// messageLegal: FilterNonexistentMessage is not enabled, for the kinds of messages that the mixed specification has.
//
// Deviation: published, that is an action, whose step makes the property false.
func messageLegal(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			toLeader := s.Msgs.Is(j, i, ACKLD, ACK)
			toFollower := s.Msgs.Is(j, i, NEWLEADER, UPTODATE, PROPOSAL, COMMIT)
			switch s.State[i] {
			case LOOKING:
				if toLeader || toFollower || s.Msgs.Is(j, i, DIFF, TRUNC) {
					return false
				}
			case LEADING:
				if toFollower || toLeader && !s.Learners[i].Has(j) {
					return false
				}
			case FOLLOWING:
				if toLeader || toFollower && s.LeaderAddr[i] != j {
					return false
				}
			}
		}
	}
	return true
}

// isUnexpected reports whether i has no use for the first message in flight from j.
func (s *State) isUnexpected(i, j Server) bool {
	if s.Msgs.Empty(j, i) {
		return false
	}
	toLeader, toFollower := false, false
	switch s.Msgs.Head(j, i).Kind {
	case FOLLOWERINFO, ACKEPOCH, ACKLD, ACK:
		toLeader = true
	case LEADERINFO, NEWLEADER, UPTODATE, PROPOSAL, COMMIT:
		toFollower = true
	}
	switch s.State[i] {
	case LEADING:
		return toFollower || toLeader && !s.Learners[i].Has(j)
	case FOLLOWING:
		return toLeader || toFollower && s.LeaderAddr[i] != j
	}
	return true
}

// FilterNonexistentMessage takes a message that no other action would. It must not be enabled.
//
// TLA+: FilterNonexistentMessage.
var FilterNonexistentMessage = Action[Pair]{
	Name:   "FilterNonexistentMessage",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.isUnexpected(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Pop(p.J, p.I)
		n.Raised.Raise(MessageUnexpected)
	},
}
