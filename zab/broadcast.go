package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// LeaderProcessRequest takes a client's write, logs it and proposes it.
//
// Paper: Zab phase 3, step l.3.1. TLA+: LeaderProcessRequest. ZooKeeper:
// ProposalRequestProcessor.processRequest, Leader.propose.
//
// Deviation: only the leader takes requests. It has logged and acknowledged its proposal at once,
// and applies at once what it commits. That hides configs/zab/bugs/truncated-ack.hcl; the grain
// leader-threads has these steps.
var LeaderProcessRequest = Action[One]{
	Name:   "LeaderProcessRequest",
	Params: EachServer,
	Guard:  mayPropose,
	Effect: func(s, n *State, p One) { n.propose(p.I) },
}

func mayPropose(s *State, p One) bool {
	return s.isLeader(p.I) && s.ZabState[p.I] == BROADCAST && (unbounded || s.History[p.I].Len() < MaxTransactions)
}

// propose makes leader i propose a client's write, which it has logged and acknowledged already.
func (n *State) propose(i Server) { n.proposeWith(i, Set(0).With(i)) }

// proposeWith makes leader i propose a client's write, which the servers acks have acknowledged.
func (n *State) proposeWith(i Server, acks Set) {
	z := n.lastZxid(i)
	if z.Epoch == n.CurrentEpoch[i] {
		z.Counter++
	} else {
		z = Zxid{n.CurrentEpoch[i], 1}
	}
	t := Txn{Zxid: z, Value: Number(n.ClientRequest)}
	n.ClientRequest++
	n.AckSid[i][n.freeSlot(i)] = acks
	n.addTxn(i, t)
	if acks.Has(i) {
		n.writeLog(i, t)
	}
	n.broadcast(i, n.receivers(i), Msg{Kind: PROPOSAL, Zxid: z, Data: t.Value})
}

// FollowerProcessPROPOSAL logs a proposal and acknowledges it.
//
// Paper: Zab phase 3, step f.3.1. TLA+: FollowerProcessPROPOSAL. ZooKeeper: Follower.processPacket,
// Follower.java:160-193@3.9.1.
var FollowerProcessPROPOSAL = Action[Pair]{
	Name:   "FollowerProcessPROPOSAL",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, PROPOSAL)
	},
	Effect: func(s, n *State, p Pair) { n.logProposal(p.I, p.J) },
}

// logProposal takes the next proposal of j, the leader of i: it is logged and acknowledged, unless
// it does not follow.
func (n *State) logProposal(i, j Server) bool {
	m := n.Msgs.Recv(j, i, PROPOSAL)
	if !m.Zxid.Follows(n.lastZxid(i)) {
		n.Raised.Raise(ProposalGap)
		return false
	}
	n.logTxn(i, Txn{Zxid: m.Zxid, Value: m.Data})
	n.Msgs.Send(i, j, Msg{Kind: ACK, Zxid: m.Zxid})
	return true
}

// LeaderProcessACK counts an acknowledgement of a proposal and commits it once a quorum has
// acknowledged it and all before it are committed.
//
// Paper: Zab phase 3, step l.3.2. TLA+: LeaderProcessACK, LeaderTryToCommit. ZooKeeper:
// Leader.processAck, Leader.tryToCommit.
//
// ZooKeeper's LearnerHandler reads no ACK before UPTODATE.
var LeaderProcessACK = Action[Pair]{
	Name:   "LeaderProcessACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, ACK)
	},
	Effect: func(s, n *State, p Pair) { n.processAck(p.I, p.J, n.Msgs.Recv(p.J, p.I, ACK).Zxid) },
}

// processAck counts j's acknowledgement of z to leader i, which applies what that commits.
func (n *State) processAck(i, j Server, z Zxid) {
	if n.countAck(i, j, z) {
		n.applyTo(i, n.LastCommitted[i])
	}
}

// countAck counts j's acknowledgement of z to leader i, and reports whether that commits z.
func (n *State) countAck(i, j Server, z Zxid) bool {
	if n.ackIsOld(i, z) {
		return false
	}
	k := position(&n.History[i], z)
	if k > n.History[i].Len() {
		n.Raised.Raise(AckUnknown)
		return false
	}
	n.AckSid[i][ackSlot(k)].Add(j)
	return n.tryToCommit(i, k)
}

// tryToCommit commits i's k-th transaction, which is outstanding, if it may, and reports whether it
// has. ZooKeeper: Leader.tryToCommit, Leader.java:913-982@3.9.1.
//
// Deviation: the code warns where it commits out of order. Here what is outstanding is all after
// LastCommitted, so it cannot. That hides nothing: the code commits in the same order. 3.4.14
// commits what is out of order (Leader.java:611-625@3.4.14). That hides what it does then.
func (n *State) tryToCommit(i Server, k int) bool {
	if int(n.LastCommitted[i]) != k-1 || !n.AckSid[i][ackSlot(k)].IsQuorum(Servers) {
		return false
	}
	n.AckSid[i][ackSlot(k)] = 0 // it is outstanding no more
	n.LastCommitted[i] = Number(k)
	n.broadcast(i, n.receivers(i), Msg{Kind: COMMIT, Zxid: n.History[i].At(k).Zxid})
	return true
}

// FollowerProcessCOMMIT commits the first pending transaction.
//
// Paper: Zab phase 3, step f.3.2. TLA+: FollowerProcessCOMMIT. ZooKeeper: Follower.processPacket,
// FollowerZooKeeperServer.commit, FollowerZooKeeperServer.java:96-111@3.9.1.
var FollowerProcessCOMMIT = Action[Pair]{
	Name:   "FollowerProcessCOMMIT",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, COMMIT)
	},
	Effect: func(s, n *State, p Pair) { n.commitNext(p.I, p.J) },
}

// commitNext takes the next COMMIT of j, the leader of i.
func (n *State) commitNext(i, j Server) {
	z := n.Msgs.Recv(j, i, COMMIT).Zxid
	k := n.LastCommitted[i] + 1
	if int(k) > n.History[i].Len() {
		return // nothing is pending: a warning in the log
	}
	if n.History[i].At(int(k)).Zxid != z {
		n.Raised.Raise(CommitNotNext)
		return
	}
	n.LastCommitted[i] = k
	n.applyTo(i, k)
}

var broadcastBaseline = grains.Grain[State]{
	Node:   nodeBroadcast,
	Name:   "baseline",
	Doc:    "A step for each message.",
	Covers: []string{"broadcast"},
	Actions: Actions{&LeaderProcessRequest, &FollowerProcessPROPOSAL, &LeaderProcessACK, &FollowerProcessCOMMIT,
		&FollowerExitsAtCOMMIT, &FollowerLogsAfterGap, &LeaderIgnoresACK},
	Invariants: broadcastAssertions,
	Budgets:    []modules.Budget[State]{modules.Spend[State]("requests", &LeaderProcessRequest)},
	Models: []string{
		"org.apache.zookeeper.server.quorum.ProposalRequestProcessor.processRequest",
		"org.apache.zookeeper.server.quorum.Leader.propose",
		"org.apache.zookeeper.server.quorum.Leader.processAck",
		"org.apache.zookeeper.server.quorum.Leader.tryToCommit",
		"org.apache.zookeeper.server.quorum.Leader.commit",
		"org.apache.zookeeper.server.quorum.Follower.processPacket",
		"org.apache.zookeeper.server.quorum.FollowerZooKeeperServer.logRequest",
		"org.apache.zookeeper.server.quorum.FollowerZooKeeperServer.commit",
		"org.apache.zookeeper.server.quorum.SendAckRequestProcessor.processRequest",
		"org.apache.zookeeper.server.quorum.SendAckRequestProcessor.flush",
		logAppended, logForced, quorumOfVotes,
	},
}
