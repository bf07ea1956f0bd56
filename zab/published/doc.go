// Package published specifies ZooKeeper as two published TLA+ specifications do, state for state:
// MSPEC_2, the mixed specification of Remix for ZooKeeper 3.9.1, and ZkV3_7_0 with
// FastLeaderElection, the system specification
// (github.com/Disalg-ICS-NJU/zookeeper-tla-spec). Package zab specifies ZooKeeper's code. The two
// packages share no code, so that each can be read next to its source, and zab can follow ZooKeeper
// where the published specifications do not.
//
// Read specifications.go first: it names every difference between the two specifications. Then
// package tla, which has their constants and records, and state.go. Then the modules (election.go,
// discovery.go, election_coarse.go, synchronization.go, broadcast.go), faults.go, and for each
// specification its bounds and properties (mspec2_*.go, zk37_*.go). catalog.go lists what manifests
// can choose.
//
// # Names
//
// Variables and actions have their published names. Where one published action is split or renamed:
//
//	TLA+                                                    here
//	FLEWaitNewNotmsg                                        FLEWaitNewNotmsg, FLEWaitNewNotmsgEnd
//	FollowerProcessNEWLEADER of ZkV3_7_0                    FollowerProcessNEWLEADER
//	FollowerProcessNEWLEADER of MSPEC_2                     FollowerProcessNEWLEADERUpdateEpoch
//	FollowerProcessNEWLEADERAfterCurrentEpochUpdated        FollowerProcessNEWLEADERLog
//	history[i][k].ackSid, history[i][k].epoch               AckSid[i][k], TxnEpoch[i][k]
//	lastCommitted.index, lastProcessed.index                LastCommitted, LastProcessed
//	initialHistory                                          InitialHistory, InitialMarks
//	connectInfo.sid                                         LeaderAddr
//	msgs and partition; rcvBuffer                           Msgs, Partition
//	recorder, noExecute                                     NTimeout to NoCut
//
// # Parity
//
// With equal limits the distinct states and the depth are those that TLC counts under a view that
// leaves out recorder.step and recorder.pc. See the tables in mspec2_parity_test.go and
// zk37_parity_test.go, and configs/zab/parity-mspec2.hcl and parity-zk37.hcl.
//
// # What both specifications do and ZooKeeper does not
//
//   - A COMMIT in Synchronization may be for a transaction that is logged already. ZooKeeper throws
//     (ZOOKEEPER-4394).
//   - A leader that gives up keeps its variables, and a leader counts acknowledgements of what it
//     had before it led.
//   - A leader counts acknowledgements before it serves, and takes requests only with a quorum of
//     followers in Broadcast.
//   - TRUNC commits the history that it leaves.
//   - A server that restarts never refuses to run.
//
// MSPEC_2 also logs what a follower holds back after NEWLEADER when its leader is lost. ZkV3_7_0
// compares votes in all that they have and counts the sender's vote always. It keeps a recorded
// vote of a later round, and lets a LEADING server's notification of the same round suffice for a
// quorum. There a server enters a round in the step that takes it back to LOOKING. A time-out is
// first marked in the queue, and neither a crash nor a partition stops a notification.
//
// # What is not modelled
//
// Observers, and a change of the ensemble. Sessions, clients and what they read. A disk that fails
// or loses what was written. Packets that are lost while both ends stay connected. The threads of a
// leader and of a follower: a packet is handled in one step, except for NEWLEADER in MSPEC_2, which
// takes two. The content of snapshots, which ZkV3_7_0 has as positions in the history and MSPEC_2
// not at all. Counters that overflow. How long anything lasts.
package published
