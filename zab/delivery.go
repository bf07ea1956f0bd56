package zab

// What follows reads histories for the properties. A process delivers the transactions that it
// knows to be committed.

// Past stands for the processes that delivered something and have restarted since: what anyone ever
// delivered is CommittedLog.
const Past Server = Servers

// delivered returns the number of transactions that i, a server or Past, has delivered.
func (s *State) delivered(i Server) int {
	if i == Past {
		return s.CommittedLog.Len()
	}
	return int(s.LastCommitted[i])
}

// delivery returns the k-th transaction that i, a server or Past, has delivered.
func (s *State) delivery(i Server, k int) Txn {
	if i == Past {
		return s.CommittedLog.At(k)
	}
	return s.History[i].At(k)
}

// deliveryOf returns the position of t among what i, a server or Past, has delivered, or 0.
func (s *State) deliveryOf(i Server, t Txn) int {
	for k := 1; k <= s.delivered(i); k++ {
		if s.delivery(i, k) == t {
			return k
		}
	}
	return 0
}

// samePrefix reports whether the first k transactions of two histories, which have that many, are
// the same.
func samePrefix(a, b *History, k int) bool {
	for x := 1; x <= k; x++ {
		if a.At(x) != b.At(x) {
			return false
		}
	}
	return true
}

// oneExtends reports whether one of two histories is a prefix of the other.
func oneExtends(a, b *History) bool { return samePrefix(a, b, min(a.Len(), b.Len())) }

// oneLeaderPerEpoch reports whether the published Leadership1 and Leadership2, and I-1, hold.
func oneLeaderPerEpoch(s *State) bool {
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
	return s.State[i] == LEADING && (s.ZabState[i] == SYNCHRONIZATION || s.ZabState[i] == BROADCAST)
}

// agree reports whether i and j satisfy Agreement: of two transactions that i and j have delivered,
// one of them has both.
func (s *State) agree(i, j Server) bool {
	for x := 1; x <= s.delivered(i); x++ {
		if s.deliveryOf(j, s.delivery(i, x)) > 0 {
			continue
		}
		for y := 1; y <= s.delivered(j); y++ {
			if s.deliveryOf(i, s.delivery(j, y)) == 0 {
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
		at := s.deliveryOf(j, s.delivery(i, y))
		for x := 1; x < y && at > 0; x++ {
			if b := s.deliveryOf(j, s.delivery(i, x)); b == 0 || b >= at {
				return false
			}
		}
	}
	return true
}

// inEpochOrder reports whether i delivers transactions of earlier epochs first.
func (s *State) inEpochOrder(i Server) bool {
	for k := 2; k <= s.delivered(i); k++ {
		if s.delivery(i, k).Zxid.Epoch < s.delivery(i, k-1).Zxid.Epoch {
			return false
		}
	}
	return true
}
