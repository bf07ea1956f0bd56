package protocol

// The ten protocol invariants are those of table 2 of the multi-grained paper. A server has
// delivered its history up to LastCommitted; a restart forgets what was delivered.

// delivered returns the number of transactions that i has delivered and still has.
func (s *State) delivered(i Server) int {
	return min(int(s.LastCommitted[i].Index), s.History[i].Len())
}

// deliveredAt returns the position at which i has delivered t, 0 if it has not.
func (s *State) deliveredAt(i Server, t Txn) int {
	for k := 1; k <= s.delivered(i); k++ {
		if s.History[i].At(k).Same(t) {
			return k
		}
	}
	return 0
}

// isPrefix reports whether h is a prefix of g, as far as transactions go.
func isPrefix(h, g *History) bool {
	if h.Len() > g.Len() {
		return false
	}
	for k := 1; k <= h.Len(); k++ {
		if !h.At(k).Same(g.At(k)) {
			return false
		}
	}
	return true
}

// PrimaryUniqueness is I-1. Zab.tla: Leadership2, which implies Leadership1.
func PrimaryUniqueness(s *State) bool {
	for e := range s.EpochLeader {
		if s.EpochLeader[e].Len() > 1 {
			return false
		}
	}
	return true
}

// Integrity is I-2. Zab.tla: Integrity, there of followers only.
func Integrity(s *State) bool {
	for i := range Server(Servers) {
		for k := 1; k <= s.delivered(i); k++ {
			if !s.wasBroadcast(s.History[i].At(k)) {
				return false
			}
		}
	}
	return true
}

func (s *State) wasBroadcast(t Txn) bool {
	for k := 1; k <= s.ProposalMsgsLog.Len(); k++ {
		if m := s.ProposalMsgsLog.At(k); m.Zxid == t.Zxid && m.Value == t.Value {
			return true
		}
	}
	return false
}

// Agreement is I-3. Zab.tla: Agreement, there of followers only.
func Agreement(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if !s.agree(i, j) {
				return false
			}
		}
	}
	return true
}

// agree reports whether of each two transactions that i and j have delivered one is delivered by
// both.
func (s *State) agree(i, j Server) bool {
	for k := 1; k <= s.delivered(i); k++ {
		if s.deliveredAt(j, s.History[i].At(k)) > 0 {
			continue
		}
		for x := 1; x <= s.delivered(j); x++ {
			if s.deliveredAt(i, s.History[j].At(x)) == 0 {
				return false
			}
		}
	}
	return true
}

// TotalOrder is I-4. Zab.tla: TotalOrder, and with Agreement what PrefixConsistency says.
func TotalOrder(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			for k := 2; k <= s.delivered(i); k++ {
				at := s.deliveredAt(j, s.History[i].At(k))
				for x := 1; at > 0 && x < k; x++ {
					if before := s.deliveredAt(j, s.History[i].At(x)); before == 0 || before >= at {
						return false
					}
				}
			}
		}
	}
	return true
}

// LocalPrimaryOrder is I-5. A primary broadcasts in the order of zxids.
//
// Deviation: Zab.tla's LocalPrimaryOrder asks it of some pair of transactions of a primary, this
// one of all.
func LocalPrimaryOrder(s *State) bool {
	for a := 1; a <= s.ProposalMsgsLog.Len(); a++ {
		for b := 1; b <= s.ProposalMsgsLog.Len(); b++ {
			first, second := s.ProposalMsgsLog.At(a), s.ProposalMsgsLog.At(b)
			if first.Source == second.Source && first.Epoch == second.Epoch && second.Zxid.After(first.Zxid) &&
				!s.inOrder(first, second) {
				return false
			}
		}
	}
	return true
}

// inOrder reports whether all that deliver second have delivered first before it.
func (s *State) inOrder(first, second Proposal) bool {
	for i := range Server(Servers) {
		at := s.deliveredAt(i, Txn{Zxid: second.Zxid, Value: second.Value})
		if at == 0 {
			continue
		}
		if before := s.deliveredAt(i, Txn{Zxid: first.Zxid, Value: first.Value}); before == 0 || before >= at {
			return false
		}
	}
	return true
}

// GlobalPrimaryOrder is I-6. Zab.tla: GlobalPrimaryOrder.
func GlobalPrimaryOrder(s *State) bool {
	for i := range Server(Servers) {
		for k := 2; k <= s.delivered(i); k++ {
			if s.History[i].At(k).Zxid.Epoch < s.History[i].At(k-1).Zxid.Epoch {
				return false
			}
		}
	}
	return true
}

// PrimaryIntegrity is I-7: a primary that broadcasts has delivered all that anyone delivered of
// older epochs. Zab.tla: PrimaryIntegrity, there of the primary's own followers only.
func PrimaryIntegrity(s *State) bool {
	for i := range Server(Servers) {
		if s.State[i] != LEADING || s.ZabState[i] != BROADCAST {
			continue
		}
		for j := range Server(Servers) {
			for k := 1; k <= s.delivered(j); k++ {
				t := s.History[j].At(k)
				if t.Zxid.Epoch < s.CurrentEpoch[i] && s.deliveredAt(i, t) == 0 {
					return false
				}
			}
		}
	}
	return true
}

// InitialHistoryIntegrity is I-8. An epoch is established once a quorum has accepted its NEWLEADER.
func InitialHistoryIntegrity(s *State) bool {
	for e := range s.NewLeaderAcks {
		if !s.NewLeaderAcks[e].IsQuorum(Servers) {
			continue
		}
		h := s.initialHistory(uint8(e))
		for later := e + 1; later < len(s.EpochLeader); later++ {
			if s.EpochLeader[later].Empty() {
				continue
			}
			if g := s.initialHistory(uint8(later)); !isPrefix(&h, &g) {
				return false
			}
		}
	}
	return true
}

// CommitConsistency is I-9. The last epoch that a server in Broadcast committed is its current one;
// of other servers the model does not know it.
func CommitConsistency(s *State) bool {
	for i := range Server(Servers) {
		if s.ZabState[i] != BROADCAST {
			continue
		}
		h := s.initialHistory(s.CurrentEpoch[i])
		d := s.History[i].Prefix(s.delivered(i))
		if !isPrefix(&h, &d) {
			return false
		}
	}
	return true
}

// HistoryConsistency is I-10. A server participates in its current epoch.
func HistoryConsistency(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.CurrentEpoch[i] != s.CurrentEpoch[j] || !s.participates(i) || !s.participates(j) {
				continue
			}
			if !isPrefix(&s.History[i], &s.History[j]) && !isPrefix(&s.History[j], &s.History[i]) {
				return false
			}
		}
	}
	return true
}

// participates reports whether i takes part in its current epoch with the history of that epoch.
// One that is between the halves of f.2.1 does not, nor one that came no further than to take over
// the history of a newer epoch.
func (s *State) participates(i Server) bool {
	return !s.Halfway.Has(i) && lastZxid(&s.History[i]).Epoch <= s.CurrentEpoch[i]
}

// MessagesExpected says that no server has a message before it that it has no use for.
// Zab.tla: messageIllegal of ShouldNotBeTriggered.
//
// Deviation: Zab.tla takes such a message in a step of its own, FilterNonexistentMessage, and marks
// it after that; here it is found in the state before.
func MessagesExpected(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Msgs.Empty(j, i) {
				continue
			}
			switch s.Msgs.Head(j, i).Kind {
			case CEPOCH, ACKEPOCH, ACKLD, ACK:
				if !s.leads(i, j) {
					return false
				}
			default:
				if !s.follows(i, j) {
					return false
				}
			}
		}
	}
	return true
}
