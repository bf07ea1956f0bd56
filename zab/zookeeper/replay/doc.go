// Package replay connects package zab to real ZooKeeper servers. It is the adapter of multigrain
// replay and multigrain conform. It drives an ensemble of package control through the steps of a
// behaviour and reads the state after each.
//
// # Steps
//
// rows has a row for each action that can be driven: which packets are delivered, which threads are
// released, and where they come to rest. A composition with an action that has no row is refused by
// name. The action gives the order of two threads within a step: a
// follower acknowledges NEWLEADER before its SyncRequestProcessor acknowledges what it logs.
//
// A follower that loses its leader while it accepts NEWLEADER first logs what it has held back. Its
// SyncRequestProcessor then finds the connection closed and fails, and only because of that failure
// does the server bring its memory up to its log when it shuts down. The step lets the failure come
// first. Where nothing fails, memory lags the log, and the comparison shows it.
//
// # State
//
// Servers of the specification are counted from 0, those of the ensemble from 1. Epochs and zxids
// count from the prelude, see control.Ensemble.Prelude: its epoch is 0 here and its zxid the zero
// zxid. The value of a transaction is the number of its request, which is in the path of the node
// that it creates. Then, in the order of zab.State:
//
//	State, ZabState      QuorumPeer.state, zabState
//	ServingState         ZooKeeperServer.state and whether it has processors
//	AcceptedEpoch, CurrentEpoch, History    files
//	LastCommitted        Leader.lastCommitted; of a serving follower History without pendingTxns
//	LastProcessed        DataTree.lastProcessedZxid; all that a start loads if none is loaded
//	Learners, Forwarding, AckldRecv, AckSid    the fields of Leader
//	Electing             electingFollowers, and the local peerLastZxid of LearnerHandler.run
//	LeaderAddr           the connection that stands
//	PacketsSync          locals of syncWithLeader
//	Msgs                 what the network keeps; a packet stays in flight until its last step
//	Status               processes
//
// The ghost variables are kept from these: zab.Record computes them from two successive
// observations, and from Leader.lastCommitted. So they say what servers did.
//
// Not observed: InitialHistory and ConnectInfo, which no field holds at all times. DIFF and
// UPTODATE have no zxid that anybody reads. Here DIFF has the learner's last one and UPTODATE that
// of the epoch, as in the specification.
package replay
