package zab

// What follows computes the ghost variables of a run of servers from the states that an observer
// has seen. Nobody can read a ghost variable from a server. It is a function of what servers did,
// so an observer that sees each state can keep it.

// Recorded names the variables that Record writes.
var Recorded = []string{"EpochLeader", "EpochHistory", "Established", "ProposalMsgsLog", "CommittedLog"}

// Record writes the ghost variables of n, which was observed after s, from those of s and from what
// differs between the two. It reads no action, so what servers did counts and not what they should
// have done:
//
//	a server leads an epoch from Synchronization on    EpochLeader, EpochHistory
//	a leader serves                                    Established
//	a serving leader has logged or sent a new one      ProposalMsgsLog
//	a server has more that is committed                CommittedLog
//
// Committed are the zxids up to which leaders have committed, by server; the zero zxid for none. A
// leader can commit what its own log lacks.
//
// If the servers do what the specification does, the result is that of the rules in ghosts.
func Record(s, n *State, committed [Servers]Zxid) {
	n.EpochLeader, n.EpochHistory, n.Established = s.EpochLeader, s.EpochHistory, s.Established
	n.ProposalMsgsLog, n.CommittedLog = s.ProposalMsgsLog, s.CommittedLog
	for i := range Server(Servers) {
		if e := int(n.AcceptedEpoch[i]); !n.isEstablishing(i) || e < 1 || e > len(n.EpochLeader) {
			continue
		}
		if !s.isEstablishing(i) || s.AcceptedEpoch[i] != n.AcceptedEpoch[i] {
			n.EpochLeader[n.AcceptedEpoch[i]-1].Add(i)
			n.recordEpoch(i)
		}
		n.recordEstablished(i)
		if s.isEstablishing(i) && s.ZabState[i] == BROADCAST {
			n.recordProposals(s, i)
		}
	}
	for i := range Server(Servers) {
		if n.LastCommitted[i] > s.LastCommitted[i] {
			n.recordDeliveries(i)
		}
		n.recordCommitted(i, committed[i])
	}
}

// recordProposals notes the transactions of its epoch that leader i has in its log or has sent, and
// had not before.
func (n *State) recordProposals(s *State, i Server) {
	add := func(t Txn) {
		if t.Zxid.Epoch == n.AcceptedEpoch[i] && t.Zxid.Counter > 0 && !n.ProposalMsgsLog.Has(t) && n.ProposalMsgsLog.Len() < MaxProposals {
			n.ProposalMsgsLog.Add(t)
		}
	}
	for k := s.History[i].Len() + 1; k <= n.History[i].Len(); k++ {
		add(n.History[i].At(k))
	}
	for j := range Server(Servers) {
		for k := 1; k <= n.Msgs.Len(i, j); k++ {
			if m := n.Msgs.At(i, j, k); m.Kind == PROPOSAL {
				add(Txn{m.Zxid, m.Data})
			}
		}
	}
}

// recordCommitted notes what leader i has broadcast and committed, up to a zxid, and its log lacks.
func (n *State) recordCommitted(i Server, upTo Zxid) {
	for more := true; more && n.CommittedLog.Len() < MaxHistory; {
		more = false
		last := n.CommittedLog.Last().Zxid
		for x := 1; x <= n.ProposalMsgsLog.Len() && !more; x++ {
			t := n.ProposalMsgsLog.At(x)
			if more = t.Zxid.Epoch == upTo.Epoch && !t.Zxid.After(upTo) && t.Zxid.Follows(last) && n.History[i].Find(t) == 0; more {
				n.CommittedLog.Append(t)
			}
		}
	}
}
