package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// Synchronization: phase 2 of the Zab paper.

// LeaderSyncFollower sends a learner what it lacks, and NEWLEADER, once a quorum has acknowledged
// the epoch. From then on the learner gets every proposal.
//
// TLA+: LeaderSyncFollower, SyncFollower, StartForwarding.
var LeaderSyncFollower = Action[Pair]{
	Name:   "LeaderSyncFollower",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		e := &s.Electing[p.I]
		return s.leads(p.I, p.J) && e.Has(p.J) && e.At(p.J).PeerLastZxid != tla.Synced() && s.electionFinished(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		e := s.Electing[p.I].At(p.J)
		mode, seen := s.syncMode(p.I, e.PeerLastZxid)
		h, committed := &s.History[p.I], s.committedByLeader(p.I)
		n.sendOpening(p.I, p.J, mode, zxidAt(h, seen))
		for k := seen + 1; k <= h.Len(); k++ {
			t := h.At(k)
			n.Msgs.Send(p.I, p.J, tla.Msg{Kind: tla.PROPOSAL, Zxid: t.Zxid, Data: t.Value})
			if k <= committed {
				n.Msgs.Send(p.I, p.J, tla.Msg{Kind: tla.COMMIT, Zxid: t.Zxid})
			}
		}
		n.Msgs.Send(p.I, p.J, tla.Msg{Kind: tla.NEWLEADER, Zxid: tla.EpochZxid(s.AcceptedEpoch[p.I])})
		n.Forwarding[p.I].Add(p.J)
		for k := 0; k < seen && mode != tla.SNAP; k++ {
			n.AckSid[p.I][k].Add(p.J)
		}
		n.Electing[p.I].Put(p.J, tla.Elector{PeerLastZxid: tla.Synced(), InQuorum: e.InQuorum})
	},
}

// sendOpening sends the message that opens Synchronization with j.
func (n *State) sendOpening(i, j Server, mode tla.Kind, z tla.Zxid) {
	switch mode {
	case tla.DIFF:
		n.Msgs.Send(i, j, tla.Msg{Kind: tla.DIFF, Zxid: z})
	case tla.TRUNC:
		n.Msgs.Send(i, j, tla.Msg{Kind: tla.TRUNC, Zxid: z})
	case tla.SNAP:
		n.Msgs.Send(i, j, tla.Msg{Kind: tla.SNAP, Zxid: z})
	}
}

// electionFinished reports whether a quorum with leader i itself has acknowledged its epoch. TLA+:
// ElectionFinished.
func (s *State) electionFinished(i Server) bool {
	q := Set(0)
	for k := range Server(Servers) {
		if s.Electing[i].Has(k) && s.Electing[i].At(k).InQuorum {
			q.Add(k)
		}
	}
	return q.Has(i) && q.IsQuorum(Servers)
}

// syncMode chooses how leader i brings a learner up to date whose last zxid is peer. It also
// returns up to which position the learner then has i's history: after DIFF by itself, after TRUNC
// by truncating its own, after SNAP by the snapshot.
func (s *State) syncMode(i Server, peer tla.Zxid) (mode tla.Kind, seen int) {
	h := &s.History[i]
	committed, processed := s.committedByLeader(i), int(s.LastProcessed[i])
	if takesSnapshots && s.needsSnapshot(i, peer, committed) {
		return tla.SNAP, committed
	}
	at := zxidToIndex(h, peer)
	switch {
	case peer == zxidAt(h, processed):
		return tla.DIFF, processed
	case peer.After(zxidAt(h, committed)):
		return tla.TRUNC, committed
	case at <= h.Len():
		return tla.DIFF, at
	}
	before := 0 // the learner has a transaction that the leader has not: keep what comes before
	for before < h.Len() && !h.At(before+1).Zxid.After(peer) {
		before++
	}
	return tla.TRUNC, before
}

// FollowerProcessSyncMessage opens Synchronization: DIFF keeps the follower's history, TRUNC
// truncates it, SNAP replaces it by a copy of the leader's.
var FollowerProcessSyncMessage = Action[Pair]{
	Name:   "FollowerProcessSyncMessage",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.DIFF, tla.TRUNC, tla.SNAP)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, tla.DIFF, tla.TRUNC, tla.SNAP)
		if s.ZabState[p.I] != tla.SYNCHRONIZATION {
			n.Raised.Raise(tla.SyncInOtherPhase)
			return
		}
		if commitsAtOnce {
			n.ConnectInfo[p.I].SyncMode = m.Kind
		}
		switch m.Kind {
		case tla.TRUNC:
			n.truncate(p.I, m.Zxid)
		case tla.SNAP:
			n.adoptSnapshot(p.I, p.J, m.Zxid)
		}
	},
}

// truncate removes what follows z from i's history.
func (n *State) truncate(i Server, z tla.Zxid) {
	h := &n.History[i]
	k := zxidToIndex(h, z)
	if k > h.Len() || keepsCommitted && k < int(n.LastCommitted[i]) {
		n.Raised.Raise(tla.CannotTruncate)
		return
	}
	h.Truncate(k)
	for x := k; x < len(n.AckSid[i]); x++ {
		n.AckSid[i][x] = 0
	}
	n.InitialHistory[i] = Number(k)
	n.LastProcessed[i] = Number(k)
	n.LastCommitted[i] = Number(k)
}

// FollowerProcessPROPOSALInSync holds a proposal back.
var FollowerProcessPROPOSALInSync = Action[Pair]{
	Name:   "FollowerProcessPROPOSALInSync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == tla.SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, tla.PROPOSAL)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, tla.PROPOSAL)
		switch {
		case m.Zxid.Follows(s.lastQueued(p.I)):
			n.PacketsSync[p.I].NotCommitted.Append(tla.Txn{Zxid: m.Zxid, Value: m.Data})
		case !dropsGaps:
			n.Raised.Raise(tla.ProposalGapInSync)
		}
	},
}

// FollowerProcessCOMMITInSync notes a commit. It must be that of the next transaction received.
var FollowerProcessCOMMITInSync = Action[Pair]{
	Name:   "FollowerProcessCOMMITInSync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == tla.SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, tla.COMMIT)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, tla.COMMIT)
		k := s.committed(p.I) + 1
		switch {
		case k > s.receivedLen(p.I) || s.received(p.I, k).Zxid != m.Zxid:
			n.Raised.Raise(tla.CommitUnmatched)
		case commitsAtOnce && s.appliesInMemory(p.I):
			n.History[p.I].Append(n.PacketsSync[p.I].NotCommitted.PopFront())
			n.LastCommitted[p.I] = Number(n.History[p.I].Len())
			n.LastProcessed[p.I] = n.LastCommitted[p.I]
		default:
			n.PacketsSync[p.I].Committed.Append(m.Zxid)
		}
	},
}

// appliesInMemory reports whether follower i applies what is committed before it logs it.
func (s *State) appliesInMemory(i Server) bool {
	c := &s.ConnectInfo[i]
	return !c.NlRcv && (c.SyncMode == tla.TRUNC || c.SyncMode == tla.SNAP)
}

// acknowledgeNEWLEADER logs what is held back and acknowledges NEWLEADER, then each transaction.
func (n *State) acknowledgeNEWLEADER(i, j Server) {
	m := n.Msgs.Recv(j, i, tla.NEWLEADER)
	n.ConnectInfo[i] = tla.ConnectInfo{NlRcv: true}
	n.Msgs.Send(i, j, tla.Msg{Kind: tla.ACKLD, Zxid: m.Zxid})
	n.logPackets(i, j)
}

// logPackets moves the transactions held back to the history and acknowledges each.
func (n *State) logPackets(i, j Server) {
	q := &n.PacketsSync[i].NotCommitted
	for k := 1; k <= q.Len(); k++ {
		n.Msgs.Send(i, j, tla.Msg{Kind: tla.ACK, Zxid: q.At(k).Zxid})
	}
	n.History[i].AppendAll(q)
	q.Clear()
}

// LeaderProcessACKLD counts an acknowledgement of NEWLEADER. With a quorum the leader commits its
// history, starts to serve and sends UPTODATE to those that have acknowledged; later ones get it at
// once.
var LeaderProcessACKLD = Action[Pair]{
	Name:   "LeaderProcessACKLD",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.ACKLD) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, tla.ACKLD)
		uptodate := tla.Msg{Kind: tla.UPTODATE, Zxid: tla.EpochZxid(s.AcceptedEpoch[p.I])}
		acks := &n.AckldRecv[p.I]
		switch {
		case quorumFormed(p.I, acks.Sids):
			n.Msgs.Send(p.I, p.J, uptodate)
			return
		case m.Zxid != uptodate.Zxid:
			n.Raised.Raise(tla.AckOtherEpoch)
			return
		}
		acks.Sids.Add(p.J)
		acks.Connected.Add(p.J)
		if quorumFormed(p.I, acks.Sids) {
			n.startToServe(p.I)
			n.broadcast(p.I, acks.Connected.Intersect(s.Learners[p.I]), uptodate)
		}
	},
}

func quorumFormed(i Server, acks Set) bool { return acks.Has(i) && acks.IsQuorum(Servers) }

// startToServe takes leader i to Broadcast: all its history counts as committed. TLA+:
// StartZkServer.
func (n *State) startToServe(i Server) {
	n.LastCommitted[i] = Number(n.History[i].Len())
	n.LastProcessed[i] = n.LastCommitted[i]
	if takesSnapshots {
		n.takeSnapshot(i)
	}
	n.ZabState[i] = tla.BROADCAST
	n.ServingState[i] = tla.RUNNING
}

// FollowerProcessUPTODATE logs and commits what has arrived after NEWLEADER, and starts to serve.
var FollowerProcessUPTODATE = Action[Pair]{
	Name:   "FollowerProcessUPTODATE",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.UPTODATE) },
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Recv(p.J, p.I, tla.UPTODATE)
		n.logPackets(p.I, p.J)
		n.commitPackets(p.I)
		n.PacketsSync[p.I] = Packets{}
		n.ZabState[p.I] = tla.BROADCAST
		n.ServingState[p.I] = tla.RUNNING
	},
}

// commitPackets commits, after the transactions with which follower i began, those of
// packetsSync.committed, in order. All transactions are logged.
func (n *State) commitPackets(i Server) {
	k := int(n.InitialHistory[i])
	if commitsAtOnce {
		k = max(k, int(n.LastCommitted[i]))
	}
	c := &n.PacketsSync[i].Committed
	for x := 1; x <= c.Len() && k < n.History[i].Len(); x++ {
		if n.History[i].At(k+1).Zxid != c.At(x) {
			n.Raised.Raise(tla.CommitNotNext)
			return
		}
		k++
	}
	n.LastCommitted[i] = Number(k)
	n.LastProcessed[i] = Number(k)
}

var synchronizationBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "A follower accepts the epoch and the history in one step, as ZkV3_7_0 has it.",
	Covers: []string{"synchronization"},
	Actions: Actions{&LeaderSyncFollower, &FollowerProcessSyncMessage, &FollowerProcessPROPOSALInSync,
		&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADER, &LeaderProcessACKLD, &FollowerProcessUPTODATE},
	Invariants: synchronizationAssertions,
}

// synchronizationAssertions are the checks of Synchronization: stateConsistent, ackIllegal,
// proposalIllegal and commitIllegal, numbered as table 2 of Remix does.
var synchronizationAssertions = []modules.Invariant[State]{
	{ID: "I-11", Instance: "sync", Raises: modules.Bit(tla.SyncInOtherPhase),
		Doc: "Bad state: DIFF, TRUNC or SNAP reaches a follower that is not in Synchronization."},
	{ID: "I-11", Instance: "truncate", Raises: modules.Bit(tla.CannotTruncate),
		Doc: "Bad state: TRUNC names a transaction that the follower's history does not have."},
	{ID: "I-12", Instance: "epoch", Raises: modules.Bit(tla.AckOtherEpoch),
		Doc: "Bad acknowledgement: ACKLD carries another zxid than that of the epoch."},
	{ID: "I-13", Instance: "sync", Raises: modules.Bit(tla.ProposalGapInSync),
		Doc: "Bad proposal: PROPOSAL in Synchronization does not follow the last one queued."},
	{ID: "I-14", Instance: "unmatched", Raises: modules.Bit(tla.CommitUnmatched),
		Doc: "Bad commit: COMMIT in Synchronization is not for the next transaction received."},
}
