package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Crash is a server that crashes. Tmp says that it was writing the epoch that it accepts, and
// leaves it in currentEpoch.tmp.
type Crash struct {
	I   Server
	Tmp bool
}

// EachCrash is the domain of crashes. Not all versions read currentEpoch.tmp.
func EachCrash(yield func(Crash) bool) {
	for i := range Server(Servers) {
		if !yield(Crash{I: i}) || readsTmpEpoch && !yield(Crash{I: i, Tmp: true}) {
			return
		}
	}
}

// NodeCrash stops a server. Its leader continues where it keeps a quorum; else it and all its
// learners look for a leader again, as do the learners of a leader that crashes.
//
// TLA+: NodeCrash. ZooKeeper: Leader.lead and Follower.followLeader, where their loops end,
// QuorumPeer.run.
//
// Deviation: the server that loses the connection notices in the same step. An epoch in
// currentEpoch.tmp is that of the disk at once: nobody reads it before the server starts. The same
// holds for the epoch that a start takes because of updatingEpoch. It is forgotten if the disk has
// no transaction of a later epoch than the accepted one. In ZooKeeper the file stays until the next
// epoch is written. That hides what servers do before they notice, which grain endpoints has, and a
// currentEpoch.tmp that a later start reads.
var NodeCrash = Action[Crash]{
	Name:   "NodeCrash",
	Params: EachCrash,
	Guard:  func(s *State, p Crash) bool { return s.isOn(p.I) && (!p.Tmp || s.leavesTmp(p.I)) },
	Effect: func(s, n *State, p Crash) { n.crash(s, p) },
}

// crash stops a server; see NodeCrash. Was is the state before.
func (n *State) crash(was *State, p Crash) {
	if p.Tmp {
		n.CurrentEpoch[p.I] = was.AcceptedEpoch[p.I]
	}
	switch l := was.LeaderAddr[p.I]; {
	case was.State[p.I] == LEADING:
		n.leaderShutdown(p.I, Set(0).With(p.I))
	case was.State[p.I] == FOLLOWING && l != NullPoint:
		n.loseLearner(l, p.I, Set(0).With(p.I))
	case was.State[p.I] == FOLLOWING:
		n.goLooking(p.I, true)
		n.disconnect(p.I)
	case disksApart:
		n.shutDownMemory(p.I, true)
	}
	n.findMark(was, p.I)
	n.Status.Remove(p.I)
}

// findMark takes the epoch of i's last transaction if i has crashed and left updatingEpoch. Was is
// the state before.
func (n *State) findMark(was *State, i Server) {
	if was.leavesMark(i) && n.epochIsBehind(i) {
		n.CurrentEpoch[i] = n.lastZxid(i).Epoch
	}
}

// NodeStart starts a server again with what is on its disk. It refuses to run where its epoch is
// before that of its last transaction, unless its crash left a later one in currentEpoch.tmp. It
// also refuses where the epoch that it has accepted is before its epoch, and, from 3.9.4 on, where
// its log has a gap: see startMeetsGap. docs/results/starts.md has what else a start refuses.
//
// TLA+: NodeStart. ZooKeeper: QuorumPeer.start, QuorumPeer.loadDataBase,
// QuorumPeer.java:1168-1182@3.9.1.
var NodeStart = Action[One]{
	Name:   "NodeStart",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return !s.isOn(p.I) },
	Effect: func(s, n *State, p One) {
		if s.epochIsBehind(p.I) || s.AcceptedEpoch[p.I] < s.CurrentEpoch[p.I] {
			n.Raised.Raise(EpochBehind)
			return
		}
		if disksApart && refusesGaps && s.startMeetsGap(p.I) {
			n.Raised.Raise(LogGap)
			return
		}
		n.Status.Add(p.I)
		n.readLog(p.I)
		n.LastProcessed[p.I] = Number(n.History[p.I].Len())
		n.LastCommitted[p.I] = 0
	},
}

// epochIsBehind reports whether i's disk has a transaction of a later epoch than the one that it
// has accepted.
func (s *State) epochIsBehind(i Server) bool {
	return s.CurrentEpoch[i] < s.lastZxid(i).Epoch
}

// leavesTmp reports whether i can crash while it writes the epoch of its leader, and needs what it
// has written when it starts: the step is that of FollowerProcessNEWLEADERUpdateEpoch.
func (s *State) leavesTmp(i Server) bool {
	l := s.LeaderAddr[i]
	return s.State[i] == FOLLOWING && l != NullPoint && s.epochIsBehind(i) && s.Msgs.Is(l, i, NEWLEADER) &&
		!s.appliesInMemory(i) && s.ServingState[i] == SHUTDOWN && !s.logsFirst(i)
}

// leavesMark reports whether i leaves the file updatingEpoch if it crashes: it processes NEWLEADER
// and has not written the epoch of its leader.
//
// Deviation: the file is known by NEWLEADER in the channel, which LinkCut takes. In ZooKeeper the
// file is there until the epoch is written. That hides starts after LinkCut in grain endpoints, and
// shows refusals instead (I-11.epoch), where pull request 1109 has the server take the epoch.
func (s *State) leavesMark(i Server) bool {
	l := s.LeaderAddr[i]
	return marksNEWLEADER && s.State[i] == FOLLOWING && l != NullPoint && s.Msgs.Is(l, i, NEWLEADER) &&
		s.ServingState[i] == SHUTDOWN
}

// PartitionStart cuts the link between a leader and one of its learners, or between two servers
// that look for a leader.
//
// TLA+: PartitionStart. ZooKeeper: Learner.readPacket and LearnerHandler.run, where they time out.
//
// Deviation: links between other servers are not in use; they need not be broken. Both ends notice
// in the same step. That hides what each end does before it notices; grain endpoints has it.
var PartitionStart = Action[Pair]{
	Name:   "PartitionStart",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.isOn(p.I) || !s.isOn(p.J) || s.Msgs.IsCut(p.I, p.J) {
			return false
		}
		return s.leads(p.I, p.J) && s.follows(p.J, p.I) || s.isLooking(p.I) && s.isLooking(p.J) && p.I > p.J
	},
	Effect: func(s, n *State, p Pair) {
		if s.State[p.I] == LEADING {
			n.loseLearner(p.I, p.J, 0)
		}
		n.Msgs.Cut(p.I, p.J)
		n.Msgs.Cut(p.J, p.I)
	},
}

// PartitionRecover heals a link.
//
// TLA+: PartitionRecover.
var PartitionRecover = Action[Pair]{
	Name:   "PartitionRecover",
	Params: EachLink,
	Guard: func(s *State, p Pair) bool {
		return s.isOn(p.I) && s.isOn(p.J) && s.Msgs.IsCut(p.I, p.J)
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Mend(p.I, p.J)
		n.Msgs.Mend(p.J, p.I)
	},
}

// loseLearner lets leader i react to the loss of its connection to j: it continues without j, or
// gives up. Crashed holds j if j has crashed. TLA+: RemoveLearner. ZooKeeper:
// Leader.removeLearnerHandler.
func (n *State) loseLearner(i, j Server, crashed Set) {
	if !n.Learners[i].Without(j).IsQuorum(Servers) {
		n.leaderShutdown(i, crashed)
		return
	}
	n.removeLearner(i, j, crashed)
}

// removeLearner takes j back to looking for a leader; its leader i continues. TLA+: RemoveLearner,
// Clean.
func (n *State) removeLearner(i, j Server, crashed Set) {
	n.Learners[i].Remove(j)
	n.Forwarding[i].Remove(j)
	n.AckldRecv[i].Connected.Remove(j)
	n.takeAcksBack(i, j)
	if n.Electing[i].Has(j) {
		n.Electing[i].Put(j, Elector{PeerLastZxid: Synced(), InQuorum: n.Electing[i].At(j).InQuorum})
	}
	n.goLooking(j, crashed.Has(j))
	n.Msgs.Clear(i, j)
	n.Msgs.Clear(j, i)
}

// takeAcksBack lets leader i, which has lost j, forget which proposals j has acknowledged. It is a
// repair: ZooKeeper's leader does not forget it, see configs/zab/bugs/truncated-ack.hcl.
func (n *State) takeAcksBack(i, j Server) {
	for k := range n.AckSid[i] {
		if takesAcksBack {
			n.AckSid[i][k].Remove(j)
		}
	}
}

// leaderShutdown takes leader i and its learners back to looking for a leader. TLA+:
// LeaderShutdown. ZooKeeper: Leader.shutdown, after which the Leader is dropped.
func (n *State) leaderShutdown(i Server, crashed Set) {
	with := n.Learners[i].With(i)
	for k := range Server(Servers) {
		if with.Has(k) {
			n.goLooking(k, crashed.Has(k))
			n.disconnect(k)
		}
	}
	n.Learners[i] = 0
	n.Forwarding[i] = 0
	n.Electing[i].Clear()
	n.AckldRecv[i] = Contacts{}
	for k := range n.AckSid[i] {
		n.AckSid[i][k] = 0
	}
}

// disconnect loses what is in flight to i.
func (n *State) disconnect(i Server) {
	for j := range Server(Servers) {
		n.Msgs.Clear(j, i)
	}
}

// goLooking takes i back to looking for a leader. A server that keeps running first finishes
// NEWLEADER if it is processing it.
//
// TLA+: FollowerShutdown, Shutdown. ZooKeeper: Learner.shutdown, ZooKeeperServer.shutdown.
//
// What has come after NEWLEADER is lost: only syncWithLeader knows it.
//
// A snapshot of the leader that is not yet on disk is lost, as in ZooKeeper, which clears its
// database then.
//
// Deviation: with the option disk = "one", memory equals the log after a shutdown. That hides
// configs/zab/bugs/memory-behind-log.hcl and zk-5094.hcl; see shutDownMemory.
func (n *State) goLooking(i Server, crashed bool) {
	if !crashed && n.amidNEWLEADER(i) {
		n.CurrentEpoch[i] = n.AcceptedEpoch[i]
		if !commitsFirst && !logsAtUPTODATE {
			n.logAll(i, &n.PacketsSync[i].NotCommitted)
		}
		if NodeSteps && commitsFirst && n.ConnectInfo[i].SyncMode == NEWLEADER {
			n.logCommitted(i)
		}
	}
	if disksApart {
		n.shutDownMemory(i, crashed)
	}
	n.PacketsSync[i] = Packets{}
	n.ConnectInfo[i] = ConnectInfo{}
	n.InitialHistory[i] = 0
	n.LastCommitted[i] = 0
	n.shutDownDatabase(i, crashed)
	if !disksApart {
		n.LastProcessed[i] = Number(n.History[i].Len())
	}
	n.State[i] = LOOKING
	n.ZabState[i] = ELECTION
	n.ServingState[i] = SHUTDOWN
	n.LeaderAddr[i] = NullPoint
}

var faultsCrashPartition = grains.Grain[State]{
	Node:       nodeFaults,
	Name:       "crash-partition",
	Doc:        "A server that loses a connection notices it in the same step.",
	Covers:     []string{"faults"},
	Actions:    Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover},
	Invariants: restartAssertions,
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("crashes", &NodeCrash),
		modules.Spend[State]("partitions", &PartitionStart),
	},
	Models: []string{
		"org.apache.zookeeper.server.quorum.QuorumPeer.run",
		"org.apache.zookeeper.server.quorum.QuorumPeer.loadDataBase",
		"org.apache.zookeeper.server.quorum.Leader.shutdown",
		"org.apache.zookeeper.server.quorum.Leader.removeLearnerHandler",
		"org.apache.zookeeper.server.quorum.Learner.shutdown",
		"org.apache.zookeeper.server.ZooKeeperServer.shutdown",
	},
}

// exit ends the process of follower i, whose leader is j.
func (n *State) exit(i, j Server) {
	n.loseLearner(j, i, Set(0).With(i))
	n.Status.Remove(i)
}

// forgetLink loses what is in flight between i and j.
func (n *State) forgetLink(i, j Server) {
	n.Msgs.Clear(i, j)
	n.Msgs.Clear(j, i)
}
