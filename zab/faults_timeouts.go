package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// The steps by which servers that wait in vain during Discovery look for a leader again. They are
// part of the environment: at the coarse grain of Election and Discovery nobody waits.

// FollowerTimeout: follower i cannot connect to the server that it elected, which does not run,
// cannot be reached or does not lead, and looks for a leader again. Learner.connectToLeader (371 to
// 421), Follower.followLeader (125, 3.9.1).
var FollowerTimeout = Action[One]{
	Name:   "FollowerTimeout",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isFollower(p.I) && s.LeaderAddr[p.I] == NullPoint
	},
	Effect: func(s, n *State, p One) { n.lookAgain(p.I) },
}

// LeaderTimeout: leader i does not hear from a quorum in time, and it and its learners look for a
// leader again. Both waits end so: Leader.getEpochToPropose (1441) and waitForEpochAck (1489,
// 3.9.1), of the leader itself.
//
// Deviation: a LearnerHandler whose own wait for ACKEPOCH ends first drops its learner alone. That
// hides nothing within the bound of partitions: PartitionStart does the same. The coarse grains of
// Discovery have no such waits: a quorum is there in one step. That hides elections that end
// without a leader, which leave an accepted epoch.
var LeaderTimeout = Action[One]{
	Name:   "LeaderTimeout",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isLeader(p.I) && s.ZabState[p.I] == DISCOVERY
	},
	Effect: func(s, n *State, p One) { n.stopLeading(p.I) },
}

// LeaderTimesOutAtNEWLEADER takes leader I, which has not got the acknowledgements of NEWLEADER of
// a quorum in time, and its learners back to looking for a leader. Then a follower whose first ACK
// was another than that of NEWLEADER (ZOOKEEPER-4685) can be counted again.
//
// ZooKeeper: Leader.waitForNewLeaderAck, Leader.java:1591-1602@3.9.1, and Leader.lead,
// Leader.java:665-685@3.9.1, where the wait of the leader itself ends.
//
// Deviation: a LearnerHandler whose own wait ends first drops its learner alone. That hides nothing
// within the bound of partitions: PartitionStart does the same.
var LeaderTimesOutAtNEWLEADER = Action[One]{
	Name:   "LeaderTimesOutAtNEWLEADER",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.isLeader(p.I) && s.ZabState[p.I] == SYNCHRONIZATION },
	Effect: func(s, n *State, p One) { n.leaderShutdown(p.I, 0) },
}

var faultsCrashPartitionTimeout = grains.Refine(grains.Grain[State]{
	Node:   nodeFaults,
	Name:   "crash-partition phase_timeouts=true",
	Was:    []string{"crash-partition-timeout"},
	Picked: grains.Pick{Grain: "crash-partition", Option: "phase_timeouts", Value: "true"},
	Doc:    "Servers that wait in vain during Discovery or for the ACK of NEWLEADER look for a leader again, too.",
	Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover, &FollowerTimeout, &LeaderTimeout,
		&LeaderTimesOutAtNEWLEADER},
	Invariants: restartAssertions,
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("crashes", &NodeCrash),
		modules.Spend[State]("partitions", &PartitionStart),
		modules.Spend[State]("timeouts", &FollowerTimeout, &LeaderTimeout, &LeaderTimesOutAtNEWLEADER),
	},
	Models: slices.Concat(faultsCrashPartition.Models, []string{
		"org.apache.zookeeper.server.quorum.Learner.connectToLeader",
		"org.apache.zookeeper.server.quorum.Learner.registerWithLeader",
		"org.apache.zookeeper.server.quorum.Leader.getEpochToPropose",
		"org.apache.zookeeper.server.quorum.Leader.waitForEpochAck",
		"org.apache.zookeeper.server.quorum.Leader.waitForNewLeaderAck",
	}),
}, faultsCrashPartition)
