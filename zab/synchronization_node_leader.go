package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Synchronization and Broadcast of a leader, in steps of one node. See discovery_node.go.

// Decision is leader I's on how to synchronise learner J, when the last Behind of the committed
// transactions were not yet applied.
type Decision struct {
	I, J   Server
	Behind int16
}

// EachDecision is the domain of decisions.
func EachDecision(yield func(Decision) bool) {
	for p := range EachPair {
		for behind := range int16(maxBehind + 1) {
			if !yield(Decision{p.I, p.J, behind}) {
				return
			}
		}
	}
}

// Transfer is leader I's snapshot for learner J, when the last Behind of the committed transactions
// were not yet applied, or asItBegan. It is written while the leader continues: Ahead of its
// transactions are among those that are sent after it as well.
type Transfer struct {
	I, J          Server
	Behind, Ahead int16
}

// EachTransfer is the domain of snapshots.
func EachTransfer(yield func(Transfer) bool) {
	for p := range EachPair {
		if !yield(Transfer{p.I, p.J, asItBegan, 0}) {
			return
		}
		for behind := range int16(maxBehind + 1) {
			for ahead := range int16(maxAhead + 1) {
				if !yield(Transfer{p.I, p.J, behind, ahead}) {
					return
				}
			}
		}
	}
}

// asItBegan stands for the number of transactions that are not yet applied, if a leader decides by
// what it had before it served.
const asItBegan = -1

// NodeDecidesSync is LeaderSyncFollower, where it decides on DIFF or TRUNC. The leader continues
// before the first of that is on the wire.
//
// ZooKeeper: LearnerHandler.syncFollower; LearnerHandler.startSendingPackets comes after NEWLEADER
// is queued.
var NodeDecidesSync = Action[Decision]{
	Name:   "NodeDecidesSync",
	Params: EachDecision,
	Guard: func(s *State, p Decision) bool {
		if !s.mayDecide(p.I, p.J, int(p.Behind)) {
			return false
		}
		peer := s.Electing[p.I].At(p.J).PeerLastZxid
		if p.Behind > 0 && (int(p.Behind) > s.mostBehind(p.I) || s.passed(p.I, peer, int(p.Behind))) {
			return false
		}
		mode, seen := s.syncModeOfNode(p.I, peer, int(p.Behind), false)
		if mode == NoKind || p.Behind == 0 {
			return mode != NoKind
		}
		before, same := s.syncModeOfNode(p.I, peer, int(p.Behind)-1, false)
		return mode != before || seen != same // else it is another one's decision
	},
	Effect: func(s, n *State, p Decision) {
		mode, seen := s.syncModeOfNode(p.I, s.Electing[p.I].At(p.J).PeerLastZxid, int(p.Behind), false)
		n.Beside[p.I].Opening[p.J] = mode
		n.synchronise(p.I, p.J, Number(seen))
		if mode == TRUNC && seen == 0 {
			n.Beside[p.I].Backlogs[p.J].Epoch = s.appliedZxid(p.I, int(p.Behind)).Epoch
		}
	},
}

// mostBehind returns how many of the transactions that leader i may have committed it has not
// applied at most. It had committed what a COMMIT shows.
func (s *State) mostBehind(i Server) int {
	return s.committedByLeader(i) - int(s.Beside[i].Shown) + maxUnapplied
}

// passed reports whether leader i has committed and applied a transaction later than the learner's
// last one, peer, if it has not applied so many of the committed ones. Then its decision does not
// depend on more than that. To see it costs little, and to decide costs a search in the history.
func (s *State) passed(i Server, peer Zxid, unapplied int) bool {
	committed, _ := s.standing(i, unapplied)
	return committed > 0 && s.History[i].At(committed).Zxid.After(peer) && s.appliedZxid(i, unapplied).After(peer)
}

// mayDecide reports whether leader i can be about to synchronise learner j, having committed so
// many transactions that it has not applied.
func (s *State) mayDecide(i, j Server, behind int) bool {
	e := &s.Electing[i]
	return s.leads(i, j) && e.Has(j) && e.At(j).PeerLastZxid != Synced() && s.electionFinished(i) &&
		behind <= int(s.LastProcessed[i]) && (behind == 0 || s.ZabState[i] == BROADCAST)
}

// synchronise makes leader i send learner j what follows position seen.
func (n *State) synchronise(i, j Server, seen Number) {
	n.settleEnd(i)
	n.Beside[i].Backlogs[j] = Backlog{Sent: seen, Committed: seen, Upto: n.beforeEpoch(i)}
	n.Electing[i].Put(j, Elector{PeerLastZxid: Synced(), InQuorum: n.Electing[i].At(j).InQuorum})
	n.notEarly(i, j)
}

// noteEarly is called when leader i is about to serve.
func (n *State) noteEarly(i Server) {
	for k := range Server(Servers) {
		if n.Electing[i].Has(k) && n.Electing[i].At(k).PeerLastZxid != Synced() {
			n.Beside[i].Early.Learners.Add(k)
			n.Beside[i].Early.Zxid = n.lastProcessedZxid(i)
		}
	}
}

// NodeSendsOpening sends the DIFF or TRUNC that is decided. What the learner lacks is sent by
// NodeSendsProposal and NodeSendsCommit, since the connection may end in between.
var NodeSendsOpening = Action[Pair]{
	Name:   "NodeSendsOpening",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Beside[p.I].Opening[p.J] != NoKind },
	Effect: func(s, n *State, p Pair) {
		seen := s.Beside[p.I].Backlogs[p.J].Sent
		if s.Beside[p.I].Opening[p.J] == TRUNC {
			n.Msgs.Send(p.I, p.J, Msg{Kind: TRUNC, Zxid: s.truncatedTo(p.I, p.J)})
		} else { // nobody reads its zxid: of the last commit, or of the follower's
			n.Msgs.Send(p.I, p.J, Msg{Kind: DIFF})
		}
		if seen < s.Beside[p.I].Holes && seen < s.LastProcessed[p.I] {
			n.Raised.Raise(ValueUnknown)
		}
		n.Beside[p.I].Opening[p.J] = NoKind
		n.Beside[p.I].Backlogs[p.J].Epoch = 0
		n.Forwarding[p.I].Add(p.J)
	},
}

// truncatedTo returns the zxid of the TRUNC that leader i has decided on for learner j: that of the
// last committed transaction. A leader without one names the last zxid that it has processed.
//
// ZooKeeper: LearnerHandler.syncFollower, where committedLog is empty,
// LearnerHandler.java:814-828@3.8.0.
func (s *State) truncatedTo(i, j Server) Zxid {
	b := &s.Beside[i].Backlogs[j]
	if b.Sent == 0 {
		return epochZxid(b.Epoch)
	}
	return s.History[i].At(int(b.Sent)).Zxid
}

// NodeSendsSNAP is LeaderSyncFollower with a snapshot. Its zxid may have been read before the
// leader served, and be on the wire after what other threads send because it serves.
//
// ZooKeeper: LearnerHandler.run, where the snapshot's zxid is read after syncFollower.
var NodeSendsSNAP = Action[Transfer]{
	Name:   "NodeSendsSNAP",
	Params: EachTransfer,
	Guard: func(s *State, p Transfer) bool {
		serves := s.ZabState[p.I] == BROADCAST
		switch {
		case p.Behind == asItBegan:
			if !s.mayDecide(p.I, p.J, 0) || serves && !s.Beside[p.I].Early.Learners.Has(p.J) {
				return false
			}
		case !serves || int(p.Behind) > s.mostBehind(p.I) || !s.mayDecide(p.I, p.J, int(p.Ahead)+int(p.Behind)):
			return false
		}
		mode, _ := s.syncModeOfNode(p.I, s.Electing[p.I].At(p.J).PeerLastZxid, int(p.Behind), true)
		return mode == SNAP
	},
	Effect: func(s, n *State, p Transfer) {
		n.Msgs.Send(p.I, p.J, Msg{Kind: SNAP, Zxid: s.appliedZxid(p.I, int(p.Behind))})
		_, whole := s.standing(p.I, int(p.Behind))
		n.fly(p.J, s.History[p.I].Prefix(whole))
		n.synchronise(p.I, p.J, Number(whole)-Number(p.Ahead))
		// NEWLEADER is queued after the snapshot is written: LearnerHandler.java:567-604@3.8.0.
		if b := &n.Beside[p.I].Backlogs[p.J]; p.Ahead > 0 {
			b.Upto = max(b.Upto, Number(whole))
		}
		n.Forwarding[p.I].Add(p.J)
	},
}

// beforeEpoch returns how many transactions leader i had when its epoch began. It has decided what
// comes before NEWLEADER some time before the first of it is on the wire, and committed more since:
// only these surely do.
func (s *State) beforeEpoch(i Server) Number {
	if s.ZabState[i] != BROADCAST {
		return s.InitialHistory[i]
	}
	return Number(atOrBefore(&s.History[i], s.History[i].Len(), epochZxid(s.AcceptedEpoch[i])))
}

// NodeSendsProposal sends the next transaction of a backlog.
//
// Deviation: any order of a learner's proposals and commits is accepted in which a commit follows
// its proposal. That hides an alarm where the order is another than ZooKeeper's.
//
// ZooKeeper: Leader.propose and Leader.commit, which go from learner to learner;
// LearnerHandler.sendPackets.
var NodeSendsProposal = Action[Pair]{
	Name:   "NodeSendsProposal",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.leads(p.I, p.J) || !s.Forwarding[p.I].Has(p.J) {
			return false
		}
		b := &s.Beside[p.I].Backlogs[p.J]
		return int(b.Sent) < s.History[p.I].Len()
	},
	Effect: func(s, n *State, p Pair) {
		b := &n.Beside[p.I].Backlogs[p.J]
		b.Sent++
		t := s.History[p.I].At(int(b.Sent))
		n.Msgs.Send(p.I, p.J, Msg{Kind: PROPOSAL, Zxid: t.Zxid, Data: t.Value})
	},
}

// NodeSendsCommit sends the next commit of a backlog.
var NodeSendsCommit = Action[Pair]{
	Name:   "NodeSendsCommit",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.leads(p.I, p.J) || !s.Forwarding[p.I].Has(p.J) {
			return false
		}
		b := &s.Beside[p.I].Backlogs[p.J]
		return b.Committed < b.Sent && int(b.Committed) < s.committedByLeader(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		b := &n.Beside[p.I].Backlogs[p.J]
		b.Committed++
		n.Beside[p.I].Shown = max(n.Beside[p.I].Shown, b.Committed)
		n.Msgs.Send(p.I, p.J, Msg{Kind: COMMIT, Zxid: s.History[p.I].At(int(b.Committed)).Zxid})
	},
}

// NodeSendsNEWLEADER is the end of LeaderSyncFollower. The learner gets proposals already, which
// may come first.
//
// ZooKeeper: LearnerHandler.run, after Leader.startForwarding.
var NodeSendsNEWLEADER = Action[Pair]{
	Name:   "NodeSendsNEWLEADER",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		b := &s.Beside[p.I].Backlogs[p.J]
		return s.leads(p.I, p.J) && s.Forwarding[p.I].Has(p.J) && !s.Beside[p.I].Announced.Has(p.J) &&
			b.Sent >= b.Upto && b.Committed >= b.Upto
	},
	Effect: func(s, n *State, p Pair) {
		n.Beside[p.I].Announced.Add(p.J)
		n.Beside[p.I].Backlogs[p.J].Upto = 0
		n.Msgs.Send(p.I, p.J, Msg{Kind: NEWLEADER, Zxid: epochZxid(s.AcceptedEpoch[p.I])})
	},
}

// NodeProcessFirstACK is LeaderProcessFirstACK up to UPTODATE.
var NodeProcessFirstACK = Action[Pair]{
	Name:   "NodeProcessFirstACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.Beside[p.I].Announced.Has(p.J) && !s.AckldRecv[p.I].Connected.Has(p.J) && s.Msgs.Is(p.J, p.I, ACKLD, ACK)
	},
	Effect: func(s, n *State, p Pair) {
		z := n.Msgs.Recv(p.J, p.I, ACKLD, ACK).Zxid
		acks := &n.AckldRecv[p.I]
		if !quorumFormed(p.I, acks.Sids) {
			if z != epochZxid(s.AcceptedEpoch[p.I]) {
				n.Raised.Raise(AckOtherEpoch)
				return
			}
			acks.Sids.Add(p.J)
			if quorumFormed(p.I, acks.Sids) {
				if LiveNode {
					n.noteEarly(p.I)
					acks.Sids = Everyone // whose quorum it was means nothing any more
				}
				n.startZkServer(p.I)
			}
		}
		acks.Connected.Add(p.J)
	},
}

// NodeSendsUPTODATE is the end of LeaderProcessFirstACK. A leader that serves may propose first.
//
// ZooKeeper: LearnerHandler.run, which waits until the server runs.
var NodeSendsUPTODATE = Action[Pair]{
	Name:   "NodeSendsUPTODATE",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.AckldRecv[p.I].Connected.Has(p.J) && !s.Beside[p.I].UpToDate.Has(p.J)
	},
	Effect: func(s, n *State, p Pair) {
		n.Beside[p.I].UpToDate.Add(p.J)
		n.Msgs.Send(p.I, p.J, Msg{Kind: UPTODATE, Zxid: epochZxid(s.AcceptedEpoch[p.I])})
	},
}

// NodeDropsACK takes an acknowledgement that changes nothing: of UPTODATE, of what is committed, or
// after the end of the connection.
//
// ZooKeeper: Leader.processAck, where lastCommitted is at or after the zxid, or that has the
// counter 0.
var NodeDropsACK = Action[Pair]{
	Name:   "NodeDropsACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.Msgs.Is(p.J, p.I, ACK, ACKLD) {
			return false
		}
		if !s.leads(p.I, p.J) {
			return true
		}
		z := s.Msgs.Peek(p.J, p.I, ACK, ACKLD).Zxid
		return s.ZabState[p.I] == BROADCAST && s.Beside[p.I].UpToDate.Has(p.J) &&
			(z.Counter == 0 || !z.After(zxidAt(&s.History[p.I], s.committedByLeader(p.I))))
	},
	Effect: func(s, n *State, p Pair) { n.Msgs.Recv(p.J, p.I, ACK, ACKLD) },
}

// NodeProcessNextACK is LeaderProcessNextACK. A leader takes no more from a learner before it has
// sent UPTODATE.
var NodeProcessNextACK = Action[Pair]{
	Name:   "NodeProcessNextACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Beside[p.I].UpToDate.Has(p.J) && s.Msgs.Is(p.J, p.I, ACK, ACKLD)
	},
	Effect: func(s, n *State, p Pair) { n.processAck(p.I, p.J, n.Msgs.Recv(p.J, p.I, ACK, ACKLD).Zxid) },
}

// standing returns how much leader i has committed, and applied, if the last after of that are not
// yet applied.
func (s *State) standing(i Server, behind int) (committed, whole int) {
	if behind == asItBegan {
		return int(s.beforeEpoch(i)), int(s.beforeEpoch(i))
	}
	return s.committedByLeader(i) - behind, int(s.LastProcessed[i]) - behind
}

// appliedZxid returns the zxid that leader i has applied last, if it is that many transactions
// before the committed one.
func (s *State) appliedZxid(i Server, behind int) Zxid {
	switch {
	case behind == asItBegan && s.ZabState[i] == BROADCAST:
		return s.Beside[i].Early.Zxid
	case behind <= 0:
		return s.lastProcessedZxid(i)
	}
	return later(zxidAt(&s.History[i], int(s.LastProcessed[i])-behind), epochZxid(s.AcceptedEpoch[i]))
}

// committedInMemory is how many committed transactions a server surely has in memory:
// ZKDatabase.commitLogCount, less one.
const committedInMemory = 499

// syncModeOfNode is syncMode with the knowledge of a real leader. It counts the start of its epoch
// as processed, and its committed log begins with the first transaction that it has in memory. What
// a leader brings up from its disk, and whether it sends a snapshot in its place, depends on the
// sizes of files. So snap chooses where the transactions that the learner lacks may not be in
// memory. The mode NoKind says that the leader does not have the choice.
//
// ZooKeeper: LearnerHandler.syncFollower and queueCommittedProposals,
// LearnerHandler.java:791-1010@3.8.0.
func (s *State) syncModeOfNode(i Server, peer Zxid, behind int, snap bool) (mode Kind, seen int) {
	h := &s.History[i]
	committed, whole := s.standing(i, behind)
	processed := s.appliedZxid(i, behind)
	last := processed
	if committed > 0 {
		last = h.At(committed).Zxid
	}
	seen = atOrBefore(h, committed, peer)
	surely := seen > 0 && seen >= max(int(s.Beside[i].Kept), committed-committedInMemory)
	switch {
	case peer == processed:
		mode, seen, surely = DIFF, whole, true
	case peer.After(last) && peer.Counter != 0:
		mode, seen, surely = TRUNC, committed, !processed.After(peer)
	case peer.After(last) || seen == 0:
		mode = SNAP
	case h.At(seen).Zxid == peer || peer.Counter == 0:
		mode = DIFF
	case seen == committed || h.At(seen+1).Zxid.Epoch != peer.Epoch:
		mode = SNAP
	default:
		mode = TRUNC
	}
	switch {
	case snap && (mode == SNAP || !surely):
		return SNAP, whole
	case snap || mode == SNAP:
		return NoKind, 0
	}
	return mode, seen
}

// establishedNoted keep the ghost of epochs that a quorum has acknowledged.
var establishedNoted = []modules.Rule[State]{
	modules.After(&NodeProcessFirstACK, func(s, n *State, p Pair) {
		if !LiveNode {
			n.recordEstablished(p.I)
		}
	}),
}

var synchronizationNode = grains.Refine(grains.Grain[State]{
	Name:     "node",
	Was:      []string{"one-sided"},
	Doc:      nodeDoc + "A leader decides, and sends each message in a step of its own.",
	Requires: []grains.Ref{{Module: "discovery", Grain: "node"}},
	Actions: Actions{&NodeDecidesSync, &NodeSendsOpening, &NodeSendsSNAP, &NodeSendsProposal, &NodeSendsCommit, &NodeSendsNEWLEADER,
		&NodeProcessFirstACK, &NodeSendsUPTODATE, &NodeProcessSyncMessage, &FollowerHoldBackPROPOSAL, &FollowerProcessCOMMITInSync,
		&NodeProcessNEWLEADER, &NodeUpdatesEpoch, &NodeLogsPackets, &NodeAcknowledgesNEWLEADER, &FollowerProcessUPTODATEAsync},
	Rules:      establishedNoted,
	Invariants: synchronizationAssertions,
}, synchronizationFineConcurrent)

// broadcastNode has the rules of threads for the steps of Election at its baseline.
var broadcastNode = grains.Refine(grains.Grain[State]{
	Name:     "node",
	Was:      []string{"one-sided"},
	Doc:      nodeDoc + "A leader sends each proposal and each commit to each learner in a step of its own.",
	Requires: []grains.Ref{{Module: "discovery", Grain: "node"}},
	Actions: Actions{&LeaderProcessRequest, &FollowerProcessPROPOSALAsync, &FollowerSyncProcessorLogRequest,
		&LeftSyncProcessorLogRequest, &NodeDropsACK, &NodeProcessNextACK, &FollowerProcessCOMMITAsync, &FollowerCommitProcessorCommit},
	Rules:      shutdowns,
	Invariants: broadcastAssertions,
	Budgets:    broadcastBaseline.Budgets,
}, broadcastFineConcurrent)
