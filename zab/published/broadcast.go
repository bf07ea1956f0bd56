package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// Broadcast: phase 3 of the Zab paper.

// LeaderProcessRequest takes a client's write, logs it and proposes it, if a quorum is in
// Broadcast.
var LeaderProcessRequest = Action[One]{
	Name:   "LeaderProcessRequest",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isLeader(p.I) && s.ZabState[p.I] == tla.BROADCAST && s.History[p.I].Len() < MaxTransactions &&
			s.forwardingInBroadcast(p.I).IsQuorum(Servers)
	},
	Effect: func(s, n *State, p One) {
		z := tla.Zxid{Epoch: s.CurrentEpoch[p.I], Counter: 1}
		if last := s.lastZxid(p.I); last.Epoch == z.Epoch {
			z.Counter = last.Counter + 1
		}
		t := tla.Txn{Zxid: z, Value: Number(s.NClientRequest)}
		n.NClientRequest++
		n.AckSid[p.I][s.History[p.I].Len()] = Set(0).With(p.I)
		n.History[p.I].Append(t)
		n.broadcast(p.I, s.Forwarding[p.I], tla.Msg{Kind: tla.PROPOSAL, Zxid: z, Data: t.Value})
		if takesSnapshots && s.shouldSnapshot(p.I) {
			n.takeSnapshot(p.I)
		}
	},
}

// forwardingInBroadcast returns the followers of leader i in Broadcast that get its proposals.
func (s *State) forwardingInBroadcast(i Server) Set {
	q := Set(0)
	if countsItself {
		q.Add(i)
	}
	for k := range Server(Servers) {
		if s.Forwarding[i].Has(k) && s.ZabState[k] == tla.BROADCAST {
			q.Add(k)
		}
	}
	return q
}

// FollowerProcessPROPOSAL logs a proposal and acknowledges it.
var FollowerProcessPROPOSAL = Action[Pair]{
	Name:   "FollowerProcessPROPOSAL",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == tla.BROADCAST && s.Msgs.Is(p.J, p.I, tla.PROPOSAL)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, tla.PROPOSAL)
		if !m.Zxid.Follows(s.lastZxid(p.I)) {
			n.Raised.Raise(tla.ProposalGap)
			return
		}
		n.History[p.I].Append(tla.Txn{Zxid: m.Zxid, Value: m.Data})
		n.Msgs.Send(p.I, p.J, tla.Msg{Kind: tla.ACK, Zxid: m.Zxid})
		if takesSnapshots && s.shouldSnapshot(p.I) {
			n.takeSnapshot(p.I)
		}
	},
}

// LeaderProcessACK counts an acknowledgement of a proposal, also before the leader serves. It
// commits the proposal once a quorum has acknowledged it and all before it are committed.
//
// TLA+: LeaderProcessACK, LeaderTryToCommit.
var LeaderProcessACK = Action[Pair]{
	Name:   "LeaderProcessACK",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.ACK) },
	Effect: func(s, n *State, p Pair) {
		z := n.Msgs.Recv(p.J, p.I, tla.ACK).Zxid
		h := &s.History[p.I]
		k := zxidToIndex(h, z)
		if last := s.lastAcked(p.I, p.J); k > h.Len() || last != 0 && last+1 != k {
			n.Raised.Raise(tla.AckUnknown)
			return
		}
		n.AckSid[p.I][k-1].Add(p.J)
		if done := s.committedByLeader(p.I); done < h.Len() && z.After(zxidAt(h, done)) {
			n.tryToCommit(p.I, k)
		}
	},
}

// lastAcked returns the position of the last transaction that j has acknowledged to i, or 0.
func (s *State) lastAcked(i, j Server) int {
	for k := s.History[i].Len(); k > 0; k-- {
		if s.AckSid[i][k-1].Has(j) {
			return k
		}
	}
	return 0
}

// tryToCommit commits i's k-th transaction if it may.
func (n *State) tryToCommit(i Server, k int) {
	if int(n.LastCommitted[i]) != k-1 || !n.AckSid[i][k-1].IsQuorum(Servers) {
		return
	}
	n.LastCommitted[i] = Number(k)
	n.LastProcessed[i] = Number(k)
	n.broadcast(i, n.Forwarding[i], tla.Msg{Kind: tla.COMMIT, Zxid: n.History[i].At(k).Zxid})
}

// FollowerProcessCOMMIT commits the first pending transaction.
var FollowerProcessCOMMIT = Action[Pair]{
	Name:   "FollowerProcessCOMMIT",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == tla.BROADCAST && s.Msgs.Is(p.J, p.I, tla.COMMIT)
	},
	Effect: func(s, n *State, p Pair) {
		z := n.Msgs.Recv(p.J, p.I, tla.COMMIT).Zxid
		k := s.LastCommitted[p.I] + 1
		switch {
		case int(k) > s.History[p.I].Len(): // nothing is pending
		case s.History[p.I].At(int(k)).Zxid != z:
			n.Raised.Raise(tla.CommitNotNext)
		default:
			n.LastCommitted[p.I] = k
			n.LastProcessed[p.I] = k
		}
	},
}

var broadcastBaseline = grains.Grain[State]{
	Name:       "baseline",
	Doc:        "A step for each message.",
	Covers:     []string{"broadcast"},
	Actions:    Actions{&LeaderProcessRequest, &FollowerProcessPROPOSAL, &LeaderProcessACK, &FollowerProcessCOMMIT},
	Invariants: broadcastAssertions,
}

// broadcastAssertions are the checks of Broadcast.
var broadcastAssertions = []modules.Invariant[State]{
	{ID: "I-12", Instance: "unknown", Raises: modules.Bit(tla.AckUnknown),
		Doc: "Bad acknowledgement: ACK is for a proposal that the leader does not know, or out of order."},
	{ID: "I-13", Instance: "broadcast", Raises: modules.Bit(tla.ProposalGap),
		Doc: "Bad proposal: PROPOSAL in Broadcast does not follow the last one logged."},
	{ID: "I-14", Instance: "order", Raises: modules.Bit(tla.CommitNotNext),
		Doc: "Bad commit: the transaction to commit is not the first pending one."},
}
