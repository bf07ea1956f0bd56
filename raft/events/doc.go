// Package events is Raft at the granularity of a log: every event that go.etcd.io/raft/v3 emits
// when it is built with the tag with_tla (state_trace.go, v3.7.0) is a step. It is for validating
// logs; see configs/raft/etcd-trace.hcl.
//
// Package raft takes a call of the library for a step and follows it in what it sends. Here a call
// is several steps, the moments of sending are left open, and messages carry any number of entries.
// What the library's functions must decide from what they are given is checked nevertheless: votes,
// acknowledgements, conflicts, commit indexes, and what must follow what.
//
// # What is open
//
// A log does not state how the library is configured. The options pre_vote, check_quorum,
// disable_conf_change_validation and forget_leader are on by default. They allow what these
// settings may cause.
//
// Events state voters only, so the learners of a server that starts are open. The first message to
// a server outside the voters shows that it is a learner. A leader that sends to a server in no
// configuration is not noticed, unless a change has removed that server.
//
// An application may send snapshots on its own. Each one of what its sender has committed may
// arrive, in a term that the sender has led.
//
// Tracers differ. Some log a commit only when the index moves, see KeepCommit. Some log no event
// for the configuration of a snapshot. Some state the snapshot's index and term as those of the
// message. The manifest reads them all.
//
// # Names
//
//	etcdraft.tla          library                     here
//	currentTerm           raft.Term                   Term
//	votedFor              raft.Vote                   Vote
//	state                 raft.state                  Role
//	log                   raftLog                     Log
//	commitIndex           raftLog.committed           Commit
//	matchIndex            Progress.Match              Match
//	votesGranted          tracker.Votes               Granted, Rejected
//	config                tracker.Config.Voters       Voters, Outgoing, Learners
//	durableState          HardState and Storage       DiskTerm, DiskVote, DiskCommit, DiskLog
//	messages              delivered to the transport  Wire, with Sent
//	pendingMessages       raft.msgs, msgsAfterAppend  Wire, without Sent
//	-                     raft.lead                   Lead
//	-                     the message being stepped   Handling, and what it must lead to: Await
//
// # Logs
//
// An event says how long a log is and what terms its entries have, not what they hold. There is one
// leader in a term, and it only appends; so an entry is known by its index and term, and with it
// all before it. A log is the index and term of its last entry. First and Before say where the
// entries of each term begin and after which term. Together they are the logs of all servers. (Log
// Matching, figure 3 of the paper, is so treated as granted; that there is one leader in a term is
// not, see Lead.)
//
// # What is not modelled
//
//   - when appends are sent, beyond what they may contain
//   - MsgPreVote, MsgTimeoutNow, MsgReadIndex and their answers, which are not logged
//   - what an application does with its log: compaction is seen in MsgSnap only
package events
