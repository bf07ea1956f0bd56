package protocol

import "github.com/multigrain/multigrain/grains"

// LeaderProcessRequest takes a client's request into the history of a primary.
//
// Paper: step l.3.1, before the proposal is sent. Zab.tla: LeaderProcessRequest.
var LeaderProcessRequest = Action[One]{
	Name:   "LeaderProcessRequest",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.State[p.I] == LEADING && s.ZabState[p.I] == BROADCAST
	},
	Effect: func(s, n *State, p One) {
		t := Txn{Zxid: Zxid{s.CurrentEpoch[p.I], s.lastCounter(p.I) + 1}, Value: s.ClientRequest}
		t.AckSid.Add(p.I)
		n.History[p.I].Append(t)
		n.ClientRequest++
	},
}

// lastCounter returns the counter of the last transaction of leader i's epoch in its history, 0
// where there is none.
func (s *State) lastCounter(i Server) uint8 {
	if z := lastZxid(&s.History[i]); z.Epoch == s.CurrentEpoch[i] {
		return z.Counter
	}
	return 0
}

// LeaderBroadcastPROPOSE proposes the next transaction of the epoch to all that were sent
// NEWLEADER, whether they have acknowledged it or not.
//
// Paper: step l.3.1. Zab.tla: LeaderBroadcastPROPOSE.
var LeaderBroadcastPROPOSE = Action[One]{
	Name:   "LeaderBroadcastPROPOSE",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.State[p.I] == LEADING && s.ZabState[p.I] == BROADCAST && s.SendCounter[p.I] < s.lastCounter(p.I)
	},
	Effect: func(s, n *State, p One) {
		t := s.nextToSend(p.I)
		n.SendCounter[p.I] = t.Zxid.Counter
		n.broadcast(p.I, s.ackeConnected(p.I), Msg{Kind: PROPOSE, Zxid: t.Zxid, Data: t.Value})
	},
}

// nextToSend returns the transaction that leader i proposes next.
func (s *State) nextToSend(i Server) Txn {
	z := Zxid{s.CurrentEpoch[i], s.SendCounter[i] + 1}
	return s.History[i].At(indexOf(&s.History[i], z))
}

// FollowerProcessPROPOSE appends the transaction and acknowledges it. One that NEWLEADER has
// brought already is dropped.
//
// Paper: step f.3.2. Zab.tla: FollowerProcessPROPOSE.
var FollowerProcessPROPOSE = Action[Pair]{
	Name:   "FollowerProcessPROPOSE",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, PROPOSE)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, PROPOSE)
		h := &s.History[p.I]
		switch {
		case m.Zxid.Follows(lastZxid(h)):
			n.History[p.I].Append(Txn{Zxid: m.Zxid, Value: m.Data})
			n.Msgs.Send(p.I, p.J, Msg{Kind: ACK, Zxid: m.Zxid})
		case indexOf(h, m.Zxid) > h.Len():
			n.Raised.Raise(ProposalInconsistent)
		}
	},
}

// LeaderProcessACK notes that a follower has a transaction. With a quorum, and all before it
// committed, the leader commits it and says so to those that have acknowledged NEWLEADER.
//
// Paper: step l.3.2. Zab.tla: LeaderProcessACK and LeaderTryToCommit.
var LeaderProcessACK = Action[Pair]{
	Name:   "LeaderProcessACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, ACK)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, ACK)
		k := indexOf(&s.History[p.I], m.Zxid)
		last := s.lastAcknowledged(p.I, p.J)
		if k == 0 || k > s.History[p.I].Len() || last != 0 && k != last+1 {
			n.Raised.Raise(AckInconsistent)
			return
		}
		t := s.History[p.I].At(k)
		t.AckSid.Add(p.J)
		n.History[p.I].Put(k, t)
		n.tryToCommit(p.I, k)
	},
}

// lastAcknowledged returns the last position of leader i's history that j has acknowledged, 0 where
// there is none.
func (s *State) lastAcknowledged(i, j Server) (last int) {
	for k := 1; k <= s.History[i].Len(); k++ {
		if s.History[i].At(k).AckSid.Has(j) {
			last = k
		}
	}
	return last
}

// tryToCommit commits the transaction at position k of leader i's history if a quorum has it, it is
// not committed yet, and all before it are.
func (s *State) tryToCommit(i Server, k int) {
	t := s.History[i].At(k)
	c := s.LastCommitted[i]
	if int(c.Index) >= s.History[i].Len() || !t.Zxid.After(c.Zxid) {
		return // nothing is outstanding, or it is committed
	}
	if int(c.Index) < k-1 || !t.AckSid.IsQuorum(Servers) {
		return
	}
	if int(c.Index) != k-1 {
		s.Raised.Raise(CommitInconsistent)
	}
	s.LastCommitted[i] = Position{Index: uint8(k), Zxid: t.Zxid}
	s.broadcast(i, s.AckldRecv[i].Connected, Msg{Kind: COMMIT, Zxid: t.Zxid})
}

// FollowerProcessCOMMIT delivers the next transaction, which must be the one that the leader
// committed. A follower without a transaction to deliver drops the message.
//
// Paper: step f.3.4. Zab.tla: FollowerProcessCOMMIT.
var FollowerProcessCOMMIT = Action[Pair]{
	Name:   "FollowerProcessCOMMIT",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, COMMIT)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, COMMIT)
		next := int(s.LastCommitted[p.I].Index) + 1
		if next > s.History[p.I].Len() {
			return
		}
		if s.History[p.I].At(next).Zxid != m.Zxid {
			n.Raised.Raise(CommitInconsistent)
			return
		}
		n.LastCommitted[p.I] = Position{Index: uint8(next), Zxid: m.Zxid}
	},
}

var broadcastBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "every message is a step; a request is taken before it is proposed",
	Covers: []string{"broadcast"},
	Actions: Actions{
		&LeaderProcessRequest, &LeaderBroadcastPROPOSE, &FollowerProcessPROPOSE, &LeaderProcessACK, &FollowerProcessCOMMIT,
	},
}
