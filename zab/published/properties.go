package published

import "github.com/multigrain/multigrain/zab/published/internal/tla"

// Properties that both specifications have. LocalPrimaryOrder is true of every state as published:
// it is satisfied by a transaction paired with itself.

// delivered returns the number of transactions that i has delivered: those that it knows to be
// committed.
func (s *State) delivered(i Server) int { return int(s.LastCommitted[i]) }

// deliveryOf returns the position of t among what i has delivered, or 0.
func (s *State) deliveryOf(i Server, t tla.Txn) int {
	for k := 1; k <= s.delivered(i); k++ {
		if s.History[i].At(k) == t {
			return k
		}
	}
	return 0
}

// leadership is Leadership1 and Leadership2.
func leadership(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.isEstablishing(i) && s.isEstablishing(j) && s.AcceptedEpoch[i] == s.AcceptedEpoch[j] {
				return false
			}
		}
	}
	for _, q := range s.EpochLeader {
		if q.Len() > 1 {
			return false
		}
	}
	return true
}

func (s *State) isEstablishing(i Server) bool {
	return s.State[i] == tla.LEADING && (s.ZabState[i] == tla.SYNCHRONIZATION || s.ZabState[i] == tla.BROADCAST)
}

// prefixConsistency is PrefixConsistency.
func prefixConsistency(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			for k := 1; k <= min(s.delivered(i), s.delivered(j)); k++ {
				if s.History[i].At(k) != s.History[j].At(k) {
					return false
				}
			}
		}
	}
	return true
}

// broadcastBy reports whether all that servers in a state have delivered was broadcast: Integrity,
// for leaders or followers.
func (s *State) broadcastBy(of tla.ServerState) bool {
	for i := range Server(Servers) {
		for k := 1; k <= s.delivered(i) && s.State[i] == of; k++ {
			if !s.wasProposed(s.History[i].At(k)) {
				return false
			}
		}
	}
	return true
}

// wasProposed reports whether a leader has proposed t.
func (s *State) wasProposed(t tla.Txn) bool {
	for k := 1; k <= s.ProposalMsgsLog.Len(); k++ {
		if s.ProposalMsgsLog.At(k).Txn == t {
			return true
		}
	}
	return false
}

// agreement is Agreement, of followers.
func agreement(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.State[i] == tla.FOLLOWING && s.State[j] == tla.FOLLOWING && !s.agree(i, j) {
				return false
			}
		}
	}
	return true
}

// agree reports whether of two transactions that i and j have delivered, one of them has both.
func (s *State) agree(i, j Server) bool {
	for x := 1; x <= s.delivered(i); x++ {
		if s.deliveryOf(j, s.History[i].At(x)) > 0 {
			continue
		}
		for y := 1; y <= s.delivered(j); y++ {
			if s.deliveryOf(i, s.History[j].At(y)) == 0 {
				return false
			}
		}
	}
	return true
}

// totalOrder is TotalOrder, of processes that have committed two transactions at least.
func totalOrder(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.delivered(i) >= 2 && s.delivered(j) >= 2 && !s.ordered(i, j) {
				return false
			}
		}
	}
	return true
}

// ordered reports whether j delivers in the order of i: where i delivers t before t' and j delivers
// t', j delivers t before it.
func (s *State) ordered(i, j Server) bool {
	for y := 2; y <= s.delivered(i); y++ {
		at := s.deliveryOf(j, s.History[i].At(y))
		for x := 1; x < y && at > 0; x++ {
			if b := s.deliveryOf(j, s.History[i].At(x)); b == 0 || b >= at {
				return false
			}
		}
	}
	return true
}

// primaryOrder is GlobalPrimaryOrder.
func primaryOrder(s *State) bool {
	for i := range Server(Servers) {
		for k := 2; k <= s.delivered(i); k++ {
			if s.History[i].At(k).Zxid.Epoch < s.History[i].At(k-1).Zxid.Epoch {
				return false
			}
		}
	}
	return true
}
