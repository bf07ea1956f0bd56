// Package pysyncobj is Raft as the Python library PySyncObj runs it, in versions 0.3.11 to 0.3.17.
// The driver raft/drivers/pysyncobj connects it to the library.
//
// It is a specification of its own, because the library differs from package raft in most messages.
// Appends carry all entries from the next index on, and the next index moves when they are sent.
// Votes and acknowledgements are never refusals, and acknowledgements have no term. There is no
// PreVote. A leader commits in its tick, from match indexes.
//
// # Names
//
// All names of the library are attributes of SyncObj in pysyncobj/syncobj.py.
//
//	figure 2              library                               here
//	currentTerm           __raftCurrentTerm                     Term
//	votedFor              __votedForNodeId                      Vote
//	log[]                 __raftLog, a FileJournal              Log
//	commitIndex           __raftCommitIndex                     Commit
//	lastApplied           __raftLastApplied                     Applied
//	state machine         the replicated object                 Done
//	state                 __raftState                           Role
//	-                     __raftLeader                          Lead
//	votes received        __votesCount                          Votes
//	nextIndex[]           __raftNextIndex                       Next
//	matchIndex[]          __raftMatchIndex                      Match
//	-                     raftCommitIndex of the .meta file     Kept
//	RequestVote           request_vote, response_vote           HandleVote, HandleVoteReply
//	AppendEntries         append_entries, next_node_idx         HandleAppend, HandleAck
//	TimeoutNow            timeout_now (from 0.3.16 on)          HandleTransfer
//
// # Steps
//
// The library does its work in ticks and in callbacks of its transport. A step is one callback with
// the tick after it, or one tick. In a tick (_onTick) a node campaigns if its time is over, commits
// and steps down as a leader, applies, sends appends if their period is over, and takes commands.
// With the grain ticks of replication a node may handle several messages before it ticks.
//
// # Deviations
//
//   - Deviation: the variables of candidates and leaders are zero in other roles. The library keeps
//     the old values and sets them before it reads them (__onBecomeLeader, _onTick).
//   - Deviation: both ends notice at once that a connection breaks or is there again.
//   - Deviation: a restart is one step. While a node is down it is like one without connections.
//
// # What is not modelled
//
//   - commands that a follower gets and sends on to the leader (apply_command)
//   - changes of the membership, read-only nodes, versions of code
//   - snapshots: logs stay below logCompactionMinEntries, and so a next index is above 1
//   - entries above appendEntriesBatchSizeBytes, which travel in parts
//   - the timer that stores the commit index once a second (onOneSecondTimer): it never runs
package pysyncobj
