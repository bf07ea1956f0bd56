package zab

import "github.com/multigrain/multigrain/modules"

// phaseAssertions are checks of Discovery that ZooKeeper's code does not make: the published system
// specification makes them. In the code the order of the calls promises them.
var phaseAssertions = []modules.Invariant[State]{
	{ID: "phase", Instance: "leader", Raises: modules.Bit(FollowersInOtherPhase),
		Doc: "A leader that waits for FOLLOWERINFO or ACKEPOCH is in Discovery (Leader.java:594-663@3.9.1)."},
	{ID: "phase", Instance: "follower", Raises: modules.Bit(InfoInOtherPhase),
		Doc: "A follower that receives LEADERINFO is in Discovery (Follower.java:86-107@3.9.1)."},
}
