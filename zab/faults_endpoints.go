package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Faults at the grain of endpoints: each end of a lost connection notices by itself, when it has
// read the last message or gives up waiting. It continues up to that point. At grain
// crash-partition both ends notice in one step; a checker that sees the messages of a real server
// would take what that server does in between for a fault of its own.
//
// The end of a connection is message CLOSED, after what was sent before: TCP's FIN. A server that
// closes a connection reads no more of it. What is sent to it afterwards stays unread, and is gone
// when the two connect again.

// NodeCrashUnnoticed stops a server. The kernel closes its connections.
//
// ZooKeeper: the death of the process.
var NodeCrashUnnoticed = Action[Crash]{
	Name:   "NodeCrashUnnoticed",
	Params: EachCrash,
	Guard:  func(s *State, p Crash) bool { return s.isOn(p.I) && (!p.Tmp || s.leavesTmp(p.I)) },
	Effect: func(s, n *State, p Crash) {
		if p.Tmp {
			n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
		}
		n.closeAll(p.I, true)
		n.findMark(s, p.I)
		n.Status.Remove(p.I)
	},
}

// LinkCut breaks the link between two servers that are connected, or that both look for a leader.
// Messages in flight are lost, and so are those that are sent before PartitionRecover.
var LinkCut = Action[Pair]{
	Name:   "LinkCut",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.isOn(p.I) || !s.isOn(p.J) || s.Msgs.IsCut(p.I, p.J) {
			return false
		}
		return s.leads(p.I, p.J) || s.follows(p.J, p.I) || s.isLooking(p.I) && s.isLooking(p.J) && p.I > p.J
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Cut(p.I, p.J)
		n.Msgs.Cut(p.J, p.I)
	},
}

// FollowerProcessCLOSED takes follower i, whose leader j has closed the connection, back to looking
// for a leader. See shutdowns for what it waits for.
//
// ZooKeeper: Follower.followLeader, where readPacket throws; Learner.shutdown.
var FollowerProcessCLOSED = Action[Pair]{
	Name:   "FollowerProcessCLOSED",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, CLOSED) && s.settled(Set(0).With(p.I))
	},
	Effect: func(s, n *State, p Pair) { n.closeAll(p.I, false) },
}

// FollowerTimesOut takes follower i back to looking for a leader although it has not read the end
// of the connection: it has heard nothing from its leader for too long.
//
// ZooKeeper: Learner.readPacket on a socket with a time-out of syncLimit ticks.
var FollowerTimesOut = Action[One]{
	Name:   "FollowerTimesOut",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isFollower(p.I) && s.LeaderAddr[p.I] != NullPoint && s.settled(Set(0).With(p.I))
	},
	Effect: func(s, n *State, p One) { n.closeAll(p.I, false) },
}

// LeaderProcessCLOSED ends leader i's connection to learner j, which has closed it.
//
// ZooKeeper: LearnerHandler.run, where readRecord throws; LearnerHandler.shutdown.
var LeaderProcessCLOSED = Action[Pair]{
	Name:   "LeaderProcessCLOSED",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, CLOSED) },
	Effect: func(s, n *State, p Pair) { n.closeLearner(p.I, p.J) },
}

// LeaderDropsLearner ends leader i's connection to learner j, from which it has received nothing
// for too long.
//
// ZooKeeper: LearnerHandler.run, where a read times out; LearnerHandler.ping, where a proposal or
// NEWLEADER waits for too long.
var LeaderDropsLearner = Action[Pair]{
	Name:   "LeaderDropsLearner",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && p.I != p.J },
	Effect: func(s, n *State, p Pair) { n.closeLearner(p.I, p.J) },
}

// LeaderGivesUp takes leader i, which has lost its quorum, back to looking for a leader.
//
// ZooKeeper: Leader.lead, which looks twice in a tick; Leader.shutdown.
var LeaderGivesUp = Action[One]{
	Name:   "LeaderGivesUp",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isLeader(p.I) && !s.Learners[p.I].IsQuorum(Servers) && s.settled(Set(0).With(p.I))
	},
	Effect: func(s, n *State, p One) { n.closeAll(p.I, false) },
}

// closeAll takes i back to looking for a leader, or down where it has crashed: it closes its
// connections.
func (n *State) closeAll(i Server, crashed bool) {
	peers := n.Learners[i].Without(i)
	if n.State[i] == FOLLOWING && n.LeaderAddr[i] != NullPoint {
		peers = Set(0).With(n.LeaderAddr[i])
	}
	for k := range Server(Servers) {
		if peers.Has(k) {
			n.close(i, k)
		}
	}
	n.goLooking(i, crashed)
	n.Learners[i] = 0
	n.Forwarding[i] = 0
	n.Electing[i].Clear()
	n.AckldRecv[i] = Contacts{}
	for k := range n.AckSid[i] {
		n.AckSid[i][k] = 0
	}
}

// closeLearner ends leader i's connection to j. The leader continues.
func (n *State) closeLearner(i, j Server) {
	n.close(i, j)
	n.Learners[i].Remove(j)
	n.Forwarding[i].Remove(j)
	n.AckldRecv[i].Connected.Remove(j)
	n.takeAcksBack(i, j)
	if n.Electing[i].Has(j) {
		n.Electing[i].Put(j, Elector{PeerLastZxid: Synced(), InQuorum: n.Electing[i].At(j).InQuorum})
	}
}

// close ends what i sends to j, after what is in flight, and loses what j has sent.
//
// Deviation: where something of j was unread the kernel resets the connection, and j may lose what
// is in flight. Here j loses it only by a time-out of its own. That hides nothing within the bound
// of time-outs.
func (n *State) close(i, j Server) {
	n.Msgs.Clear(j, i)
	n.Msgs.Send(i, j, Msg{Kind: CLOSED})
}

// connections are the rules of endpoints on servers that connect. They connect only after the
// leader has noticed that the last connection of the two has ended, and with nothing of it in
// flight.
//
// Deviation: ZooKeeper's leader takes a learner's new connection while it still has the old one.
// That hides a learner with two LearnerHandlers.
var connections = []modules.Rule[State]{
	mended,
	modules.When(&JoinLeader, func(s *State, p Pair) bool { return !s.Learners[p.I].Has(p.J) }),
	modules.After(&JoinLeader, func(s, n *State, p Pair) { n.forgetLink(p.I, p.J) }),
	modules.After(&QuorumElection, func(s, n *State, p Party) { n.forgetLinks(p) }),
	modules.After(&ElectionAndDiscovery, func(s, n *State, p Party) { n.forgetLinks(p) }),
	modules.After(&NodeCrashUnnoticed, func(s, n *State, p Crash) { n.leaveThreads(s) }),
	modules.After(&FollowerProcessCLOSED, func(s, n *State, p Pair) { n.leaveThreads(s) }),
	modules.After(&FollowerTimesOut, func(s, n *State, p One) { n.leaveThreads(s) }),
	modules.After(&LeaderGivesUp, func(s, n *State, p One) { n.leaveThreads(s) }),
}

// mended is the rule that a link is mended only when no connection over it is left. TCP loses
// nothing of a connection that continues.
var mended = modules.When(&PartitionRecover, func(s *State, p Pair) bool {
	return !s.isConnected(p.I, p.J) && !s.isConnected(p.J, p.I)
})

// isConnected reports whether i and its leader j, or one of them, take themselves for connected.
func (s *State) isConnected(i, j Server) bool { return s.follows(i, j) || s.leads(j, i) }

func (n *State) forgetLinks(p Party) {
	for k := range Server(Servers) {
		if k != p.I && p.S.Has(k) {
			n.forgetLink(p.I, k)
		}
	}
}

var faultsEndpoints = grains.Refine(grains.Grain[State]{
	Node: nodeEndpoints,
	Name: "endpoints",
	Doc:  "Each end of a connection notices by itself that it has ended.",
	Requires: []grains.Ref{{Module: "synchronization", Grain: "follower-threads"},
		{Module: "broadcast", Grain: "follower-threads"}},
	Sets: []grains.Setting{{Name: "closings", Value: "1"}},
	Actions: Actions{&NodeCrashUnnoticed, &NodeStart, &LinkCut, &PartitionRecover, &FollowerProcessCLOSED,
		&FollowerTimesOut, &LeaderProcessCLOSED, &LeaderDropsLearner, &LeaderGivesUp},
	Rules:      connections,
	Invariants: restartAssertions,
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("crashes", &NodeCrashUnnoticed),
		modules.Spend[State]("partitions", &LinkCut),
		modules.Spend[State]("timeouts", &FollowerTimesOut, &LeaderDropsLearner),
	},
	Models: slices.Concat(faultsCrashPartition.Models, []string{
		"org.apache.zookeeper.server.quorum.LearnerHandler.shutdown",
		"org.apache.zookeeper.server.quorum.Learner.readPacket",
		"org.apache.zookeeper.server.quorum.Learner.connectToLeader",
		"org.apache.zookeeper.server.quorum.Leader.lead",
		"org.apache.zookeeper.server.quorum.LearnerHandler.ping",
		"org.apache.zookeeper.server.quorum.LearnerHandler.SyncLimitCheck.check",
	}),
}, faultsCrashPartition)
