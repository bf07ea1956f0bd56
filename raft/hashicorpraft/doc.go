// Package hashicorpraft is Raft as github.com/hashicorp/raft v1.8.0 runs it, written to be compared
// with that library.
//
// It is a specification of its own, because the library is not the protocol of package raft with
// other names. Its messages are calls with one answer, which only the caller that still waits
// takes. A server that knows a leader refuses every vote, whatever the term. A follower's
// replication goroutine has one call in flight and steps back one entry at a time. The module in
// testdata/library connects it to the library; docs/how-to/conformance.md says how, and what cannot
// be compared.
//
// # Names
//
//	figure 2              library (raft.go, replication.go)       here
//	currentTerm           CurrentTerm (stable store)              Term
//	votedFor              LastVoteTerm, LastVoteCand (two writes) VoteTerm, Vote
//	log[]                 LogStore                                Log
//	commitIndex           raftState.commitIndex, lastApplied      Commit
//	state machine         FSM.Apply                               Value
//	state                 raftState.state                         Role
//	-                     leaderAddr, leaderID                    Lead
//	votes received        grantedVotes (runCandidate)             Votes
//	nextIndex[]           followerReplication.nextIndex           Peer.Next
//	matchIndex[]          commitment.matchIndexes                 Peer.Match
//	-                     lastIndex of replicateTo                Peer.Goal
//	-                     replicateTo waits for its call          Peer.Calling
//	-                     followerReplication.triggerCh           Peer.Triggered
//	-                     followerReplication.lastContact         Contact
//	-                     verifyFuture                            Checks
//	-                     heartbeat waits for its call            Peer.Beating
//	RequestVote RPC       electSelf, requestVote                  Timeout, HandleVote, HandleVoteReply
//	AppendEntries RPC     replicateTo, appendEntries              Propose, HandleAppend, HandleAppendReply
//	heartbeat             VerifyLeader, heartbeat                 Verify, HandleHeartbeat, HandleHeartbeatReply
//
// # What is not modelled
//
//   - heartbeats except for VerifyLeader: those that the time causes are the same calls
//   - pipelined appends, PreVote, leadership transfer, membership changes, snapshots
//   - calls that fail: a lost message is a call that is never answered
package hashicorpraft
