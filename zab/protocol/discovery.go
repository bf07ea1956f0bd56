package protocol

import "github.com/multigrain/multigrain/grains"

// ConnectAndFollowerSendCEPOCH connects a follower to the leader that the oracle names; the
// follower tells the last epoch that it accepted.
//
// Paper: step f.1.1. Zab.tla: ConnectAndFollowerSendCEPOCH.
var ConnectAndFollowerSendCEPOCH = Action[Pair]{
	Name:   "ConnectAndFollowerSendCEPOCH",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.State[p.I] == LEADING && !s.Learners[p.I].Has(p.J) &&
			s.State[p.J] == FOLLOWING && s.ConnectInfo[p.J] == NullPoint && s.LeaderOracle == p.I
	},
	Effect: func(s, n *State, p Pair) {
		n.Learners[p.I].Add(p.J)
		n.ConnectInfo[p.J] = p.I
		n.Msgs.Send(p.J, p.I, Msg{Kind: CEPOCH, Epoch: s.AcceptedEpoch[p.J]})
	},
}

// LeaderProcessCEPOCH counts a follower's CEPOCH. With a quorum of them the leader chooses an epoch
// above all those that it received, and announces it. Later ones are answered with that epoch.
//
// Paper: step l.1.1. Zab.tla: LeaderProcessCEPOCH.
var LeaderProcessCEPOCH = Action[Pair]{
	Name:   "LeaderProcessCEPOCH",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, CEPOCH)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, CEPOCH)
		n.CepochRecv[p.I].Put(p.J, Cepoch{Connected: true, Epoch: m.Epoch})
		if s.knowsEpoch(p.I) {
			n.Msgs.Send(p.I, p.J, Msg{Kind: NEWEPOCH, Epoch: s.AcceptedEpoch[p.I]})
			return
		}
		if s.ZabState[p.I] != DISCOVERY {
			n.Raised.Raise(StateInconsistent)
		}
		if n.knowsEpoch(p.I) {
			e := n.newEpoch(p.I)
			n.AcceptedEpoch[p.I] = e
			n.broadcast(p.I, n.cepochConnected(p.I), Msg{Kind: NEWEPOCH, Epoch: e})
		}
	},
}

// knowsEpoch reports whether leader i has CEPOCH of a quorum, itself counted in, and so has chosen
// an epoch.
func (s *State) knowsEpoch(i Server) bool { return s.CepochRecv[i].Keys().IsQuorum(Servers) }

// newEpoch returns the epoch that leader i chooses: one above all that it received.
func (s *State) newEpoch(i Server) (e uint8) {
	for j := range Server(Servers) {
		if s.CepochRecv[i].Has(j) {
			e = max(e, s.CepochRecv[i].At(j).Epoch)
		}
	}
	return e + 1
}

// cepochConnected returns the set of senders of CEPOCH to i that have been connected since.
func (s *State) cepochConnected(i Server) (q Set) {
	for j := range Server(Servers) {
		if s.CepochRecv[i].Has(j) && s.CepochRecv[i].At(j).Connected {
			q.Add(j)
		}
	}
	return q
}

// FollowerProcessNEWEPOCH accepts the leader's epoch, unless a newer one was promised elsewhere:
// the follower answers with its state and is in Synchronization, or gives up the leader.
//
// Paper: step f.1.2. Zab.tla: FollowerProcessNEWEPOCH.
var FollowerProcessNEWEPOCH = Action[Pair]{
	Name:   "FollowerProcessNEWEPOCH",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWEPOCH)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, NEWEPOCH)
		if m.Epoch < s.AcceptedEpoch[p.I] {
			n.giveUpLeader(p.I, p.J)
			return
		}
		if s.ZabState[p.I] != DISCOVERY {
			n.Raised.Raise(StateInconsistent)
			return
		}
		n.AcceptedEpoch[p.I] = m.Epoch
		n.ZabState[p.I] = SYNCHRONIZATION
		n.Msgs.Send(p.I, p.J, Msg{Kind: ACKEPOCH, Epoch: s.CurrentEpoch[p.I], History: s.History[p.I]})
	},
}

// LeaderProcessACKEPOCH counts a follower's ACKEPOCH. With a quorum of them the leader takes the
// newest history that it received as the initial history of the epoch. It becomes the primary and
// sends NEWLEADER to all. Later ones are answered with NEWLEADER and the leader's history at that
// time.
//
// Paper: steps l.1.2 and l.2.1. Zab.tla: LeaderProcessACKEPOCH.
var LeaderProcessACKEPOCH = Action[Pair]{
	Name:   "LeaderProcessACKEPOCH",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, ACKEPOCH)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, ACKEPOCH)
		n.AckeRecv[p.I].Put(p.J, Ackepoch{Connected: true, PeerLastEpoch: m.Epoch, PeerHistory: m.History})
		e := s.AcceptedEpoch[p.I]
		if s.knowsHistory(p.I) {
			n.Msgs.Send(p.I, p.J, Msg{Kind: NEWLEADER, Epoch: e, History: s.History[p.I]})
			return
		}
		if s.ZabState[p.I] != DISCOVERY {
			n.Raised.Raise(StateInconsistent)
		}
		if n.knowsHistory(p.I) {
			n.CurrentEpoch[p.I] = e
			n.History[p.I] = n.newestHistory(p.I)
			n.ZabState[p.I] = SYNCHRONIZATION
			n.broadcast(p.I, n.ackeConnected(p.I), Msg{Kind: NEWLEADER, Epoch: e, History: n.History[p.I]})
		}
	},
}

// knowsHistory reports whether leader i has ACKEPOCH of a quorum, itself counted in, and so has an
// initial history.
func (s *State) knowsHistory(i Server) bool { return s.AckeRecv[i].Keys().IsQuorum(Servers) }

// newestHistory returns the history that leader i begins with: of those with the newest epoch one
// with the newest last transaction, all acknowledged by i alone. Where several are newest they are
// equal.
func (s *State) newestHistory(i Server) History {
	best := s.AckeRecv[i].At(i)
	for j := range Server(Servers) {
		if !s.AckeRecv[i].Has(j) {
			continue
		}
		a := s.AckeRecv[i].At(j)
		if a.PeerLastEpoch > best.PeerLastEpoch ||
			a.PeerLastEpoch == best.PeerLastEpoch && lastZxid(&a.PeerHistory).After(lastZxid(&best.PeerHistory)) {
			best = a
		}
	}
	h := best.PeerHistory
	for k := 1; k <= h.Len(); k++ {
		t := h.At(k)
		t.AckSid = 0
		t.AckSid.Add(i)
		h.Put(k, t)
	}
	return h
}

// ackeConnected returns the set of senders of ACKEPOCH to i that have been connected since.
func (s *State) ackeConnected(i Server) (q Set) {
	for j := range Server(Servers) {
		if s.AckeRecv[i].Has(j) && s.AckeRecv[i].At(j).Connected {
			q.Add(j)
		}
	}
	return q
}

var discoveryBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "every message is a step",
	Covers: []string{"discovery"},
	Actions: Actions{
		&ConnectAndFollowerSendCEPOCH, &LeaderProcessCEPOCH, &FollowerProcessNEWEPOCH, &LeaderProcessACKEPOCH,
	},
}
