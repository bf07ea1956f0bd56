package published

// The published specifications of Remix (github.com/Disalg-ICS-NJU/zookeeper-tla-spec) share most
// of their actions. The names below say where they differ, as option "specification" chooses:
//
//	zk-3.7   the system specification, ZkV3_7_0.tla with FastLeaderElection.tla
//	mspec-2  the mixed specification MSPEC_2.tla: Election and Discovery in one step, NEWLEADER
//	         in two steps, no snapshots
//
// Each name cites the operator of the specification that has it.
const (
	asSystem = Specification == "zk-3.7"

	// takesSnapshots: a server that serves takes a snapshot with every second transaction that it
	// commits. A leader sends SNAP to a learner whose history ends before the leader's last
	// snapshot. ZkV3_7_0: ShouldSnapshot, TakeSnapshot, SyncFollower.
	takesSnapshots = asSystem

	// commitsAtOnce: after TRUNC or SNAP, a COMMIT before NEWLEADER is applied when it arrives.
	// ZkV3_7_0: FollowerProcessCOMMITInSync. MSPEC_2 queues it in packetsSync.committed.
	commitsAtOnce = asSystem

	// keepsCommitted: TRUNC must not remove what the follower has committed. ZkV3_7_0:
	// FollowerProcessSyncMessage, truncOk.
	keepsCommitted = asSystem

	// dropsGaps: a PROPOSAL in Synchronization that does not follow is dropped. ZkV3_7_0:
	// FollowerProcessPROPOSALInSync. MSPEC_2 notes proposalIllegal.
	dropsGaps = asSystem

	// countsItself: a leader counts itself in the quorum that it needs to take a request.
	// ZkV3_7_0: LeaderProcessRequest. MSPEC_2 counts forwarding followers only.
	countsItself = asSystem

	// logsAtShutdown: a follower that has begun with NEWLEADER and loses its leader accepts the
	// epoch and logs what it holds back. MSPEC_2: FollowerShutdown. ZkV3_7_0 loses it.
	logsAtShutdown = !asSystem

	// restartsAtSnapshot: a server that starts has committed what its last snapshot holds.
	// ZkV3_7_0: NodeStart. In MSPEC_2 it has committed nothing.
	restartsAtSnapshot = asSystem

	// sendsOverPartitions: a partition breaks the connection once, and messages pass a broken link.
	// ZkV3_7_0: PartitionStart, Send. In MSPEC_2 they are lost.
	sendsOverPartitions = asSystem
)
