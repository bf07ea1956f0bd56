package protocol

import "github.com/multigrain/multigrain/grains"

// FollowerProcessNEWLEADER carries out step f.2.1 at once: the follower takes over the epoch and
// the history and acknowledges. If it has accepted another epoch since, it gives up the leader.
//
// Paper: step f.2.1. Zab.tla: FollowerProcessNEWLEADER.
var FollowerProcessNEWLEADER = Action[Pair]{
	Name:   "FollowerProcessNEWLEADER",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, NEWLEADER)
		if m.Epoch != s.AcceptedEpoch[p.I] {
			n.giveUpLeader(p.I, p.J)
			return
		}
		if s.ZabState[p.I] != SYNCHRONIZATION {
			n.Raised.Raise(StateInconsistent)
		}
		n.CurrentEpoch[p.I] = m.Epoch
		n.History[p.I] = m.History
		n.Msgs.Send(p.I, p.J, Msg{Kind: ACKLD, Zxid: lastZxid(&m.History)})
	},
}

// LeaderProcessACKLD counts a follower's ACKLD, which acknowledges all transactions up to its zxid.
// The one that makes a quorum has the leader deliver its history, say so to all, and turn to
// Broadcast; later ones are answered with what is committed by then.
//
// Paper: step l.2.2. Zab.tla: LeaderProcessACKLD.
var LeaderProcessACKLD = Action[Pair]{
	Name:   "LeaderProcessACKLD",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, ACKLD)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, ACKLD)
		n.AckldRecv[p.I].Sids.Add(p.J)
		n.AckldRecv[p.I].Connected.Add(p.J)
		n.acknowledgeUpTo(p.I, p.J, m.Zxid)
		if s.isEstablished(p.I) {
			if s.ZabState[p.I] != BROADCAST {
				n.Raised.Raise(StateInconsistent)
			}
			n.Msgs.Send(p.I, p.J, Msg{Kind: COMMITLD, Zxid: s.LastCommitted[p.I].Zxid})
			return
		}
		if s.ZabState[p.I] != SYNCHRONIZATION {
			n.Raised.Raise(StateInconsistent)
		}
		if n.isEstablished(p.I) {
			z := lastZxid(&s.History[p.I])
			n.LastCommitted[p.I] = Position{Index: uint8(s.History[p.I].Len()), Zxid: z}
			n.ZabState[p.I] = BROADCAST
			n.broadcast(p.I, n.AckldRecv[p.I].Connected, Msg{Kind: COMMITLD, Zxid: z})
		}
	},
}

// isEstablished reports whether leader i has ACKLD of a quorum, itself counted in.
func (s *State) isEstablished(i Server) bool { return s.AckldRecv[i].Sids.IsQuorum(Servers) }

// acknowledgeUpTo notes in leader i's history that j has everything up to z.
func (s *State) acknowledgeUpTo(i, j Server, z Zxid) {
	h := &s.History[i]
	for k := 1; k <= h.Len(); k++ {
		t := h.At(k)
		if t.Zxid.After(z) {
			return
		}
		t.AckSid.Add(j)
		h.Put(k, t)
	}
}

// FollowerProcessCOMMITLD delivers the history up to what the leader has committed and turns to
// Broadcast.
//
// Paper: step f.2.3. Zab.tla: FollowerProcessCOMMITLD.
var FollowerProcessCOMMITLD = Action[Pair]{
	Name:   "FollowerProcessCOMMITLD",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, COMMITLD)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, COMMITLD)
		k := indexOf(&s.History[p.I], m.Zxid)
		if k > s.History[p.I].Len() {
			n.Raised.Raise(ProposalInconsistent)
			return
		}
		n.LastCommitted[p.I] = Position{Index: uint8(k), Zxid: m.Zxid}
		n.ZabState[p.I] = BROADCAST
	},
}

var synchronizationAtomic = grains.Grain[State]{
	Name:    "atomic",
	Doc:     "a follower takes over epoch and history in one step, as the protocol asks",
	Covers:  []string{"synchronization"},
	Actions: Actions{&FollowerProcessNEWLEADER, &LeaderProcessACKLD, &FollowerProcessCOMMITLD},
}
