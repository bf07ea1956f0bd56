// Package wraft is Raft as the C library WRaft runs it at its commit e428eeb of 2020, which
// RedisRaft and DaosRaft derive from. No registry has a package of it. So nothing compares this
// specification with the library, and what it finds is known of the specification only.
//
// It is a specification of its own, because the library differs from package raft in most steps. A
// leader has no entry of its own. It sends again at once what is refused, and steps its next index
// back by the last index of the refusal. A compacted log keeps no term but that of its snapshot.
//
// # Names
//
// Names of the library are fields of raft_server_private_t and functions in raft_server.c.
//
//	figure 2              library                             here
//	currentTerm           current_term                        Term
//	votedFor              voted_for                           Vote
//	log[]                 log                                 Log, after the index Base
//	-                     snapshot_last_idx, _term            SnapIndex, SnapTerm
//	commitIndex           commit_idx                          Commit
//	state                 state                               Role
//	votes received        the nodes' flags VOTED_FOR_ME       Votes
//	nextIndex[]           the nodes' next_idx                 Next
//	matchIndex[]          the nodes' match_idx                Match
//	RequestVote           raft_recv_requestvote, _response    HandleVote, HandleVoteResponse
//	AppendEntries         raft_recv_appendentries, _response  HandleAppend, HandleAppendResponse
//	InstallSnapshot       the application's                   HandleSnapshot
//	compaction            raft_begin_snapshot, _end_snapshot  Compact
//
// # Mistakes
//
// The SandTable paper (table 2) has nine mistakes of WRaft. All but a leak of memory are here,
// with a repair for each: the option repair.
//
// # Deviations
//
//   - Deviation: the library leaves messages of snapshots to its application. Here it sends term,
//     index and term of the entry. It is answered like an append, as SandTable's driver does.
//   - Deviation: a follower votes whenever it may. The library waits for an election timeout
//     without a leader.
//   - Deviation: Next and Match are zero in servers that do not lead. The library keeps the old
//     values and sets them before it reads them.
//   - Deviation: a message of one server to another arrives once, after those that were sent
//     before. What an isolated server sends, or is sent, is lost. SandTable's bounds for WRaft
//     are the same.
//   - Deviation: a round of heartbeats may begin with any server. The library has one order. With
//     up to three servers these are all orders, so that servers are symmetric.
//
// # What is not modelled
//
//   - a membership that changes
//   - crashes, and what is kept over them
//   - applying: all that is committed counts as applied
//   - the end of the array of ten entries, where an append ends, too
package wraft
