// Package libraft is Raft as the C library libraft 0.15.0 runs it, which dqlite uses. The driver
// raft/drivers/libraft connects it to the library.
//
// It is a specification of its own, because the library differs from package raft in most steps.
// Writes complete later than the step that begins them. A leader has no entry of its own, and
// commits the last entry that it has on disk, whatever its term is. A follower acknowledges its
// whole disk. Who knows a leader refuses votes, and does not take their term over.
//
// # Names
//
// Names of the library are fields of struct raft in raft.h.
//
//	figure 2              library                              here
//	currentTerm           current_term                         Term
//	votedFor              voted_for                            Vote
//	log[]                 log                                  Log
//	-                     the entries of raft_io               Disk
//	-                     last_stored                          Stored
//	-                     requests to raft_io.append           Pending
//	commitIndex           commit_index                         Commit
//	lastApplied           last_applied                         Applied
//	state machine         struct raft_fsm                      Done
//	state                 state, in_pre_vote                   Role
//	-                     follower_state.current_leader        Lead
//	votes received        candidate_state.votes                Votes
//	nextIndex[]           raft_progress.next_index             Next
//	matchIndex[]          raft_progress.match_index            Match
//	-                     raft_progress.state                  Pipeline
//	-                     raft_progress.recent_recv            Heard
//	-                     raft_progress.last_send              Due
//	RequestVote           raft_request_vote, ..._result        HandleVote, HandleVoteResult
//	AppendEntries         raft_append_entries, ..._result      HandleAppend, HandleAck
//
// # Steps
//
// The library does its work in callbacks of struct raft_io. A step is one tick, one message or one
// command, with the answers of the transport. With the grain baseline of replication a write is
// complete at the end of the step that begins it, and with the grain writes it is a step. Time is
// that of the step: an election timeout, a heartbeat timeout, or none.
//
// # Deviations
//
//   - Deviation: the variables of followers, candidates and leaders are zero in other roles. In the
//     library they share memory.
//   - Deviation: a server notices at once that a connection is broken. It loses what it sends.
//   - Deviation: a restart is one step. While a server is down it is like one without connections.
//   - Deviation: the end of a log is dropped on disk by the write that replaces it.
//
// # What is not modelled
//
//   - a membership that changes, and members without a vote
//   - transfers of the leadership, barriers
//   - snapshots: logs stay below their threshold
//   - errors of the disk and of memory
package libraft
