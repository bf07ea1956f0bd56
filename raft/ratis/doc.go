// Package ratis is Raft as the Java library Apache Ratis runs it, from release 3.2.2 on. It has the
// library's own appender of logs, LogAppenderDefault, which the transport Netty takes. That of gRPC
// is another one. The driver raft/drivers/ratis connects it to the library.
//
// It is a specification of its own, because messages are calls. A server has one call to another
// one at a time, and who asks waits for the answer. An appender waits, too, so a leader sends to a
// server only what has gathered since the last answer. Each leader begins with an entry and a
// heartbeat.
//
// # Names
//
//	figure 2              library                                  here
//	currentTerm           ServerState.currentTerm                  Term
//	votedFor              ServerState.votedFor                     Vote
//	log[]                 RaftLog, from index 0                    Log, from index 1
//	commitIndex           RaftLog.getLastCommittedIndex            Commit
//	state                 RoleInfo.role                            Role
//	-                     ServerState.leaderId                     Lead
//	-                     FollowerState.lastRpcTime                Fresh
//	votes received        LeaderElection.waitForResults            Granted, Refused
//	nextIndex[]           FollowerInfo.getNextIndex                Next
//	matchIndex[]          FollowerInfo.getMatchIndex               Match
//	RequestVote           RaftServerImpl.requestVote               HandleVote, HandleVoteReply
//	AppendEntries         RaftServerImpl.appendEntriesAsync        HandleAppend, HandleAppendReply
//	election timeout      FollowerState.runImpl                    Timeout
//
// # Steps
//
// A step is a timer, a request or an answer, with all that threads do until they wait. An appender
// makes its request after what else the step causes, so a request has the commit index of the end
// of the step. In the library the two race.
//
// # Deviations
//
//   - Deviation: an election that is over ends its calls at once. The library waits for an answer
//     or for the election timeout, and until then some answers of this server wait as well.
//   - Deviation: a call that its caller gives up is lost with its request. A request that is on the
//     wire may still arrive.
//   - Deviation: a restart is one step, and the server is closed in order.
//   - Deviation: time stands still for leaders, so each has its majority.
//
// # What is not modelled
//
//   - changes of the members, snapshots, reads, streams, priorities, transfers of the leadership
//   - entries of metadata: the driver switches them off
//   - writes to the disk that take time: a step ends when they are done
package ratis
