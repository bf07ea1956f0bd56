package control

// Where threads rest. All of them are outside monitors that other threads need.
var (
	// Election: QuorumPeer is about to look for a leader.
	Election = &Point{Name: "before an election", Class: "quorum.FastLeaderElection", Method: "lookForLeader"}
	// Read: a follower's QuorumPeer is about to read a packet.
	Read = &Point{Name: "before it reads a packet", Class: "quorum.Learner", Method: "readPacket"}
	// Snapshot: a follower's QuorumPeer has written the snapshot that NEWLEADER asks for, if it asks
	// for one, and is about to accept the epoch.
	Snapshot = &Point{Name: "before the epoch of NEWLEADER", Class: "quorum.Learner", Method: "syncWithLeader",
		Site: Site{Kind: BeforeCall, Target: "setCurrentEpoch", Precedes: "startupWithoutServing"}}
	// Epoch: a follower's QuorumPeer has accepted the epoch of NEWLEADER, and its processors run.
	Epoch = &Point{Name: "after the epoch of NEWLEADER", Class: "quorum.Learner", Method: "syncWithLeader",
		Site: Site{Kind: AfterCall, Target: "startupWithoutServing"}}
	// Shutdown: a follower's QuorumPeer has closed its connection and is about to shut the server down.
	Shutdown = &Point{Name: "before the shutdown of the server", Class: "quorum.Learner", Method: "shutdown",
		Site: Site{Kind: BeforeCall, Target: "shutdown", Descriptor: "(Z)V"}}
	// Append: SyncRequestProcessor is about to append to the log.
	Append = &Point{Name: "before it appends to the log", Class: "SyncRequestProcessor", Method: "run",
		Site: Site{Kind: BeforeCall, Target: "append"}}
	// Sync: a LearnerHandler is about to decide how its learner is synchronised.
	Sync = &Point{Name: "before the synchronisation of a learner", Class: "quorum.LearnerHandler", Method: "run",
		Site: Site{Kind: BeforeCall, Target: "syncFollower"}}
)

// Points are all points, for every version.
var Points = []*Point{Election, Read, Snapshot, Epoch, Shutdown, Append, Sync}
