package protocol

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Proposal is a transaction that a primary has broadcast in its epoch, by PROPOSE or as part of
// NEWLEADER.
type Proposal struct {
	Source Server
	Epoch  uint8 // of the primary; that of Zxid is the epoch in which the transaction was made
	Zxid   Zxid
	Value  uint8
}

// recordPrimary rides on LeaderProcessACKEPOCH: a leader that takes up an initial history is the
// primary of its epoch, and what NEWLEADER carries is broadcast.
func recordPrimary(s, n *State, p Pair) {
	if !n.knowsHistory(p.I) {
		return
	}
	e := s.AcceptedEpoch[p.I]
	n.EpochLeader[e].Add(p.I)
	h := &n.History[p.I]
	for k := 1; k <= h.Len(); k++ {
		t := h.At(k)
		n.ProposalMsgsLog.Add(Proposal{Source: p.I, Epoch: e, Zxid: t.Zxid, Value: t.Value})
	}
}

// recordProposal rides on LeaderBroadcastPROPOSE.
func recordProposal(s, n *State, p One) {
	t := s.nextToSend(p.I)
	n.ProposalMsgsLog.Add(Proposal{Source: p.I, Epoch: s.CurrentEpoch[p.I], Zxid: t.Zxid, Value: t.Value})
}

// Rules of the grain established, which note who has accepted NEWLEADER.

// recordLeaderAck rides on LeaderProcessACKEPOCH: a leader accepts its own NEWLEADER by sending it.
func recordLeaderAck(s, n *State, p Pair) {
	if n.knowsHistory(p.I) {
		n.NewLeaderAcks[s.AcceptedEpoch[p.I]].Add(p.I)
	}
}

// recordFollowerAck rides on the actions that send ACKLD.
func recordFollowerAck(_, n *State, p Pair) {
	if n.ConnectInfo[p.I] == p.J {
		n.NewLeaderAcks[n.CurrentEpoch[p.I]].Add(p.I)
	}
}

// initialHistory returns the initial history of epoch e, as far as transactions go: what its
// primary broadcast of older epochs, in order. It is empty for an epoch without a primary.
func (s *State) initialHistory(e uint8) (h History) {
	for k := 1; k <= s.ProposalMsgsLog.Len(); k++ {
		m := s.ProposalMsgsLog.At(k)
		if m.Epoch != e || m.Zxid.Epoch >= e {
			continue
		}
		at := 1
		for at <= h.Len() && m.Zxid.After(h.At(at).Zxid) {
			at++
		}
		h.Insert(at, Txn{Zxid: m.Zxid, Value: m.Value})
	}
	return h
}

var ghostsEstablished = grains.Grain[State]{
	Name:   "established",
	Doc:    "by epoch: the servers that have accepted NEWLEADER",
	Covers: []string{"ghosts"},
	Rules: []modules.Rule[State]{
		modules.After(&LeaderProcessACKEPOCH, recordLeaderAck),
		modules.After(&FollowerProcessNEWLEADER, recordFollowerAck),
		modules.After(&FollowerUpdateEpoch, recordFollowerAck),
		modules.After(&FollowerUpdateHistoryLast, recordFollowerAck),
	},
	Invariants: []modules.Invariant[State]{
		{ID: "I-8", State: InitialHistoryIntegrity, Doc: "Initial history integrity: the initial history of an established epoch is a prefix of that of every later epoch."},
	},
}
