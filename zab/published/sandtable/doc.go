// Package sandtable specifies elections of ZooKeeper 3.4.3 as SandTable does for its bug
// ZooKeeper#1 (systems/ZooKeeper/v3.4.3/bugs/vote_circle), which is ZOOKEEPER-1419: where zxids
// are equal, votes are compared by identity whatever their epochs. It has SandTable's order of
// threads, its limits and its property NoVoteCircle. SandTable's published trace is one of this
// model, step by step, and there is no shorter one; see testdata.
//
// The property examines the votes that a server has had one after the other. Package zab has the
// same error with variant v3.4.3, and the property votes.circle, which examines the votes that
// servers have at one time.
//
// Read state.go and messages.go first, then election.go, discovery.go, faults.go and bounds.go,
// which has what is SandTable's own. catalog.go lists what manifests can choose.
//
// # What is not modelled
//
// Transactions, and with them zxids, Synchronization and Broadcast: SandTable leaves out the action
// by which a leader synchronises its followers, so no history ever has a transaction.
//
// Deviation: the number of states is not the published one. A server that crashes forgets its
// election, as ZooKeeper does. SandTable's specification derives from ZkV3_7_0 (package
// published), in which a crash forgets neither what was received nor which servers a leader knew.
// Its states also have counters of messages sent and received and the last command, and one stands
// for others by a symmetry of servers.
package sandtable
