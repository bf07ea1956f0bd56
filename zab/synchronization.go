package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// LeaderSyncFollower sends a learner what it lacks, and NEWLEADER, once a quorum has acknowledged
// the epoch.
//
// Paper: Zab phase 2, step l.2.1. TLA+: LeaderSyncFollower. ZooKeeper: LearnerHandler.syncFollower,
// Leader.startForwarding.
//
// Deviation: NEWLEADER is queued in the same step, so no message of another thread comes before it.
// That hides configs/zab/bugs/zk-5094.hcl; grain leader-threads has the two steps.
var LeaderSyncFollower = Action[Pair]{
	Name:   "LeaderSyncFollower",
	Params: EachPair,
	Guard:  maySynchronise,
	Effect: func(s, n *State, p Pair) {
		e := s.Electing[p.I].At(p.J)
		n.syncFollower(p.I, p.J, e.PeerLastZxid)
		n.Electing[p.I].Put(p.J, Elector{PeerLastZxid: Synced(), InQuorum: e.InQuorum})
	},
}

// maySynchronise reports whether leader p.I has still to open Synchronization with learner p.J.
func maySynchronise(s *State, p Pair) bool {
	e := &s.Electing[p.I]
	if !s.leads(p.I, p.J) || !e.Has(p.J) {
		return false
	}
	z := e.At(p.J).PeerLastZxid
	return z != Synced() && z != Opened() && s.electionFinished(p.I)
}

// FollowerProcessSyncMessage opens Synchronization: DIFF keeps the follower's history, TRUNC cuts
// it, SNAP puts a copy of the leader's into memory, which reaches the disk with NEWLEADER.
//
// Paper: Zab phase 2, before step f.2.1. TLA+: FollowerProcessSyncMessage. ZooKeeper:
// Learner.syncWithLeader, Learner.java:553-607@3.9.1.
var FollowerProcessSyncMessage = Action[Pair]{
	Name:   "FollowerProcessSyncMessage",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, DIFF, TRUNC, SNAP)
	},
	Effect: func(s, n *State, p Pair) { n.openSync(p.I, p.J) },
}

// openSync takes the opening message of j, the leader of i. It reports whether i can continue.
func (n *State) openSync(i, j Server) bool {
	m := n.Msgs.Recv(j, i, DIFF, TRUNC, SNAP)
	if n.ZabState[i] != SYNCHRONIZATION {
		n.Raised.Raise(SyncInOtherPhase)
		return false
	}
	n.ConnectInfo[i].SyncMode = m.Kind
	switch m.Kind {
	case TRUNC:
		return n.truncate(i, m.Zxid)
	case SNAP:
		n.InitialHistory[i] = Number(position(&n.History[j], m.Zxid))
		if namesEpochs {
			n.InitialHistory[i] = Number(atOrBefore(&n.History[j], n.History[j].Len(), m.Zxid))
			n.nameMemory(i, m.Zxid)
		}
		n.LastCommitted[i] = 0
	}
	return true
}

// truncate cuts i's history after z, and reports whether it has z. ZooKeeper:
// ZKDatabase.truncateLog.
//
// Deviation: without disks apart it raises CannotTruncate where i does not have z. ZooKeeper
// truncates then and keeps a transaction too many. That hides
// configs/zab/bugs/truncate-keeps-record.hcl and zk-4837.hcl; see truncateDisk.
func (n *State) truncate(i Server, z Zxid) bool {
	if disksApart {
		return n.truncateDisk(i, z)
	}
	n.readLog(i)
	if n.cannotTruncate(i, z) {
		n.Raised.Raise(CannotTruncate)
		return false
	}
	h := &n.History[i]
	k := position(h, z)
	h.Truncate(k)
	for x := k; x < len(n.AckSid[i]); x++ {
		n.AckSid[i][x] = 0
	}
	n.InitialHistory[i] = Number(k)
	n.LastProcessed[i] = Number(k)
	n.LastCommitted[i] = min(n.LastCommitted[i], Number(k))
	return true
}

// FollowerProcessPROPOSALInSync holds a proposal back.
//
// TLA+: FollowerProcessPROPOSALInSync. ZooKeeper: Learner.syncWithLeader,
// Learner.java:626-648@3.9.1.
//
// Deviation: from 3.9.4 on a leader that runs throws where committedLog would get a gap
// (ZKDatabase.addCommittedProposal). Here committedLog gets it; a start refuses it as the code
// does. That hides the end of that leader, and shows what it does instead. What a follower does
// after a gap is FollowerHoldsBackAfterGap.
var FollowerProcessPROPOSALInSync = Action[Pair]{
	Name:   "FollowerProcessPROPOSALInSync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, PROPOSAL)
	},
	Effect: func(s, n *State, p Pair) { n.holdBack(p.I, p.J) },
}

// holdBack keeps the next proposal of j, the leader of i, and reports whether i can continue.
func (n *State) holdBack(i, j Server) bool {
	m := n.Msgs.Recv(j, i, PROPOSAL)
	if !m.Zxid.Follows(n.lastQueued(i)) {
		n.Raised.Raise(ProposalGapInSync)
		return false
	}
	n.PacketsSync[i].NotCommitted.Append(Txn{Zxid: m.Zxid, Value: m.Data})
	return true
}

// FollowerProcessCOMMITInSync notes a commit. Before NEWLEADER in a TRUNC or SNAP it is applied in
// memory, else it waits for UPTODATE. In both cases the code examines the first proposal held back
// and throws if there is none (ZOOKEEPER-4394).
//
// TLA+: FollowerProcessCOMMITInSync. ZooKeeper: Learner.syncWithLeader, Learner.java:649-677@3.9.1.
var FollowerProcessCOMMITInSync = Action[Pair]{
	Name:   "FollowerProcessCOMMITInSync",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == SYNCHRONIZATION && s.Msgs.Is(p.J, p.I, COMMIT)
	},
	Effect: func(s, n *State, p Pair) { n.noteCommit(p.I, p.J) },
}

// noteCommit takes the next COMMIT of j, the leader of i, and reports whether i can continue.
func (n *State) noteCommit(i, j Server) bool {
	unmatched := n.commitIsUnmatched(i)
	m := n.Msgs.Recv(j, i, COMMIT)
	if unmatched {
		n.Raised.Raise(CommitUnmatched)
		return false
	}
	if n.commitIsMismatched(i, m.Zxid) {
		n.Raised.Raise(CommitMismatched)
		return false
	}
	n.PacketsSync[i].Committed.Append(m.Zxid)
	return true
}

// FollowerProcessNEWLEADER accepts the epoch and logs what is held back, in one step, and
// acknowledges.
//
// Paper: Zab phase 2, step f.2.1; figure 2 of Remix. TLA+: FollowerProcessNEWLEADER. ZooKeeper:
// Learner.syncWithLeader, Learner.java:732-770@3.9.1.
//
// Deviation: epoch and history change together, as in Zab, and ACK of NEWLEADER is sent before
// those of the proposals. That hides configs/zab/bugs/zk-4643.hcl and zk-4685.hcl; the finer grains
// have them.
var FollowerProcessNEWLEADER = Action[Pair]{
	Name:   "FollowerProcessNEWLEADER",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER)
	},
	Effect: func(s, n *State, p Pair) { n.acceptNEWLEADER(p.I, p.J) },
}

// acceptNEWLEADER takes NEWLEADER of j, the leader of i, and acknowledges it.
func (n *State) acceptNEWLEADER(i, j Server) {
	n.takeSnapshot(i)
	if logsAtOnce {
		n.logHeldBack(i)
	}
	n.CurrentEpoch[i] = n.AcceptedEpoch[i]
	n.ServingState[i] = INITIAL
	n.acknowledgeNEWLEADER(i, j)
}

// takeSnapshot writes to disk what follower i has in memory only: its leader's snapshot, and what
// was committed since TRUNC or SNAP. These are not logged (again), nor acknowledged. ZooKeeper:
// ZooKeeperServer.takeSnapshot.
func (n *State) takeSnapshot(i Server) {
	if !n.appliesInMemory(i) {
		return
	}
	old, last := n.History[i], n.memoryZxid(i)
	if n.inSnapshot(i) {
		n.History[i] = n.base(i).Prefix(n.baseLen(i))
	}
	if disksApart {
		n.saveReceived(i, last)
	} else {
		n.logCommitted(i)
	}
	n.coverLog(i, old)
	n.ConnectInfo[i].SyncMode = NEWLEADER
}

// acknowledgeNEWLEADER logs what is held back and acknowledges NEWLEADER, then each transaction.
func (n *State) acknowledgeNEWLEADER(i, j Server) {
	m := n.Msgs.Recv(j, i, NEWLEADER)
	n.ConnectInfo[i] = ConnectInfo{NlRcv: true}
	n.Msgs.Send(i, j, Msg{Kind: ACKLD, Zxid: m.Zxid})
	switch {
	case logsAtUPTODATE:
		n.ServingState[i] = SHUTDOWN
	case acksAtUPTODATE:
	case logsAtOnce:
		n.acknowledgeLogged(i, j)
	default:
		n.logPackets(i, j)
	}
}

// logPackets moves the transactions held back to the history and acknowledges each. ZooKeeper:
// FollowerZooKeeperServer.logRequest, SendAckRequestProcessor.
func (n *State) logPackets(i, j Server) {
	q := &n.PacketsSync[i].NotCommitted
	for k := 1; k <= q.Len(); k++ {
		n.Msgs.Send(i, j, Msg{Kind: ACK, Zxid: q.At(k).Zxid})
	}
	n.logAll(i, q)
	q.Clear()
}

// LeaderProcessACKLD counts an acknowledgement of NEWLEADER. With a quorum the leader commits its
// history, starts to serve and sends UPTODATE to those who have acknowledged. Later ones get it at
// once.
//
// Paper: Zab phase 2, step l.2.2. TLA+: LeaderProcessACKLD. ZooKeeper: Leader.waitForNewLeaderAck,
// Leader.startZkServer.
var LeaderProcessACKLD = Action[Pair]{
	Name:   "LeaderProcessACKLD",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, ACKLD)
	},
	Effect: func(s, n *State, p Pair) {
		n.waitForNewLeaderAck(p.I, p.J, n.Msgs.Recv(p.J, p.I, ACKLD).Zxid)
	},
}

// waitForNewLeaderAck counts j's acknowledgement of NEWLEADER to leader i, with zxid z.
func (n *State) waitForNewLeaderAck(i, j Server, z Zxid) {
	uptodate := Msg{Kind: UPTODATE, Zxid: epochZxid(n.AcceptedEpoch[i])}
	acks := &n.AckldRecv[i]
	if quorumFormed(i, acks.Sids) {
		n.Msgs.Send(i, j, uptodate)
		return
	}
	if z != uptodate.Zxid {
		n.Raised.Raise(AckOtherEpoch)
		return
	}
	acks.Sids.Add(j)
	acks.Connected.Add(j)
	if quorumFormed(i, acks.Sids) {
		n.startZkServer(i)
		n.broadcast(i, acks.Connected.Intersect(n.Learners[i]), uptodate)
	}
}

// startZkServer takes leader i to Broadcast: all its history counts as committed.
func (n *State) startZkServer(i Server) {
	n.LastCommitted[i] = Number(n.History[i].Len())
	n.applyTo(i, n.LastCommitted[i])
	n.noteServing(i)
	n.ZabState[i] = BROADCAST
	n.ServingState[i] = RUNNING
	n.InitialHistory[i] = 0
}

// acknowledged keep the ghost of epochs that a quorum has acknowledged.
var acknowledged = []modules.Rule[State]{
	modules.After(&LeaderProcessACKLD, func(s, n *State, p Pair) {
		n.recordEstablished(p.I)
	}),
}

// FollowerProcessUPTODATE logs and commits what has come after NEWLEADER, and starts to serve.
//
// Paper: Zab phase 2, step f.2.2. TLA+: FollowerProcessUPTODATE. ZooKeeper: Learner.syncWithLeader,
// Learner.java:717-731 and 773-798@3.9.1, FollowerZooKeeperServer.commit.
//
// Deviation: ZooKeeper acknowledges UPTODATE too, with the zxid of the epoch, which the leader
// ignores. That hides configs/zab/bugs/zk-3023.hcl; grain follower-threads sends it.
var FollowerProcessUPTODATE = Action[Pair]{
	Name:   "FollowerProcessUPTODATE",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, UPTODATE)
	},
	Effect: func(s, n *State, p Pair) { n.acceptUPTODATE(p.I, p.J) },
}

// acceptUPTODATE takes UPTODATE of j, the leader of i, which serves from now on.
func (n *State) acceptUPTODATE(i, j Server) {
	n.Msgs.Recv(j, i, UPTODATE)
	if acksAtUPTODATE {
		n.acknowledgeLogged(i, j)
	}
	n.logPackets(i, j)
	n.commitPackets(i)
	n.PacketsSync[i] = Packets{}
	n.ZabState[i] = BROADCAST
	n.ServingState[i] = RUNNING
	n.InitialHistory[i] = 0
}

// commitPackets commits, after the transactions with which follower i began, those of
// packetsCommitted, in order. All transactions are logged. ZooKeeper:
// FollowerZooKeeperServer.commit, FollowerZooKeeperServer.java:96-111@3.9.1.
func (n *State) commitPackets(i Server) {
	k := int(n.InitialHistory[i])
	c := &n.PacketsSync[i].Committed
	for x := 1; x <= c.Len() && k < n.History[i].Len(); x++ {
		if n.History[i].At(k+1).Zxid != c.At(x) {
			n.Raised.Raise(CommitNotNext)
			return
		}
		k++
	}
	n.LastCommitted[i] = Number(k)
	n.applyTo(i, Number(k))
}

var synchronizationBaseline = grains.Grain[State]{
	Node:   nodeSync,
	Name:   "baseline",
	Doc:    "A follower accepts the epoch and the history in one step.",
	Covers: []string{"synchronization"},
	Actions: Actions{&LeaderSyncFollower, &FollowerProcessSyncMessage, &FollowerProcessPROPOSALInSync,
		&FollowerProcessCOMMITInSync, &FollowerProcessNEWLEADER, &LeaderProcessACKLD, &FollowerProcessUPTODATE,
		&FollowerGivesUp, &FollowerExitsAtTRUNC, &FollowerIgnoresSync, &FollowerHoldsBackAfterGap, &FollowerIgnoresCOMMIT,
		&FollowerExitsAtUPTODATE},
	Invariants: synchronizationAssertions,
	Models: []string{
		"org.apache.zookeeper.server.quorum.LearnerHandler.run",
		"org.apache.zookeeper.server.quorum.LearnerHandler.syncFollower",
		"org.apache.zookeeper.server.quorum.LearnerHandler.queueCommittedProposals",
		"org.apache.zookeeper.server.quorum.Leader.startForwarding",
		"org.apache.zookeeper.server.quorum.Leader.waitForNewLeaderAck",
		"org.apache.zookeeper.server.quorum.Leader.startZkServer",
		"org.apache.zookeeper.server.quorum.Learner.syncWithLeader",
		"org.apache.zookeeper.server.quorum.FollowerZooKeeperServer.logRequest",
		"org.apache.zookeeper.server.quorum.FollowerZooKeeperServer.commit",
		"org.apache.zookeeper.server.quorum.QuorumPeer.setCurrentEpoch",
		"org.apache.zookeeper.server.ZooKeeperServer.takeSnapshot",
		epochsOnDisk, logAppended, logForced, quorumOfVotes,
	},
}
