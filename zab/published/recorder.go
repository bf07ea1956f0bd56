package published

import "github.com/multigrain/multigrain/zab/published/internal/tla"

// What both specifications note in their variables after the steps of the protocol.

func (s *State) longestHistory() uint8 {
	longest := 0
	for i := range s.History {
		longest = max(longest, s.History[i].Len())
	}
	return uint8(longest)
}

func (s *State) largestEpoch() uint8 {
	e := Number(0)
	for _, x := range s.AcceptedEpoch {
		e = max(e, x)
	}
	return uint8(e)
}

// recordHistories notes in which epoch each server got its new transactions.
func recordHistories(s, n *State) {
	for i := range n.History {
		have := n.History[i].Len()
		for k := range n.TxnEpoch[i] {
			switch {
			case k >= have:
				n.TxnEpoch[i][k] = 0
			case k >= s.History[i].Len():
				n.TxnEpoch[i][k] = s.AcceptedEpoch[i]
			}
		}
	}
}

// recordInitialHistory copies the marks of i's transactions, as initialHistory does.
func (n *State) recordInitialHistory(i Server) {
	for k := range n.InitialMarks[i] {
		n.InitialMarks[i][k] = tla.Mark{}
		if k < n.History[i].Len() {
			n.InitialMarks[i][k] = tla.Mark{AckSid: n.AckSid[i][k], Epoch: n.TxnEpoch[i][k]}
		}
	}
}

// recordRequest notes the proposal that leader p.I has made.
func recordRequest(s, n *State, p One) {
	n.ProposalMsgsLog.Add(tla.Proposal{Source: p.I, Epoch: s.AcceptedEpoch[p.I], Txn: n.History[p.I].Last()})
	n.NTransaction = n.longestHistory()
}

// recordForwarded notes the proposals that a leader repeats to a learner.
func recordForwarded(s, n *State, p Pair) {
	for k := s.Msgs.Len(p.I, p.J) + 1; k <= n.Msgs.Len(p.I, p.J); k++ {
		if m := n.Msgs.At(p.I, p.J, k); m.Kind == tla.PROPOSAL {
			n.ProposalMsgsLog.Add(tla.Proposal{Source: p.I, Epoch: s.AcceptedEpoch[p.I], Txn: tla.Txn{Zxid: m.Zxid, Value: m.Data}})
		}
	}
}
