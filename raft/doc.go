// Package raft is Raft at several grains, as etcd's library go.etcd.io/raft/v3 v3.7.0 runs it.
//
// The protocol is that of Ongaro and Ousterhout, "In Search of an Understandable Consensus
// Algorithm" (2014), whose figures and sections comments cite. Ongaro's dissertation "Consensus:
// Bridging Theory and Practice" (2014) is cited as such. The specification follows the library
// where it decides otherwise, or decides what the paper leaves open. A step of this specification
// is a call of RawNode (Step, Campaign, Propose, ProposeConfChange, ReadIndex, TransferLeader) and
// all that Ready and Advance ask for after it. So messages in flight are those that the library has
// sent. What it addresses to itself is no message here.
//
// # Why one package
//
// The package has more than 20 files: one for each module and grain. All of them act on one State,
// and Go declares the methods of a type in one package. An action is identified by the package of
// the catalog, so the actions stay here too.
//
// # Names
//
//	figure 2                    etcdraft.tla            library                        here
//	currentTerm                 currentTerm             raft.Term                      Term
//	votedFor                    votedFor                raft.Vote                      Vote
//	log[]                       log                     raftLog                        Log
//	commitIndex                 commitIndex             raftLog.committed              Commit
//	lastApplied                 -                       raftLog.applied                Applied
//	follower, candidate, leader state                   raft.state                     Role
//	-                           -                       raft.lead                      Lead
//	votes received              votesGranted            tracker.Votes                  Granted, Rejected
//	nextIndex[]                 -                       Progress.Next                  Pr.Next
//	matchIndex[]                matchIndex              Progress.Match                 Pr.Match
//	-                           -                       Progress.State, .MsgAppFlowPaused, .sentCommit   Pr.State, .Paused, .SentCommit
//	-                           -                       Progress.Inflights             from Match and Next, see Progress
//	-                           -                       Progress.RecentActive          RecentActive
//	-                           -                       electionElapsed                Elapsed, whether it has reached the timeout
//	cluster configuration       config, jointConfig     tracker.Config                 Conf
//	-                           pendingConfChangeIndex  raft.pendingConfIndex          PendingConf
//	-                           -                       raft.leadTransferee            Transferee
//	-                           -                       raft.readOnly                  ReadOnly
//	-                           -                       raft.pendingReadIndexMessages  PendingReads
//	RPCs in flight              messages                Ready.Messages                 Bag, Stream
//	election timeout            Timeout                 Campaign, MsgHup               Timeout
//	RequestVote RPC             RequestVote             MsgVote                        Timeout
//	- receiver                  HandleRequestVoteRequest     Step, MsgVote             HandleVote
//	- result                    HandleRequestVoteResponse    stepCandidate             HandleVoteResp
//	AppendEntries RPC           AppendEntries           maybeSendAppend                wherever the library sends
//	- receiver                  HandleAppendEntriesRequest   handleAppendEntries       HandleApp
//	- result                    HandleAppendEntriesResponse  stepLeader, MsgAppResp    HandleAppResp
//	heartbeat                   Heartbeat               MsgBeat                        Beat
//	- receiver                  -                       handleHeartbeat                HandleHeartbeat
//	- result                    -                       stepLeader, MsgHeartbeatResp   HandleHeartbeatResp
//	command from a client       ClientRequest           Propose                        Propose
//	applies                     -                       MsgStorageApply                Apply
//	restarts                    Restart                 newRaft                        Restart
//	InstallSnapshot RPC         -                       MsgSnap                        wherever the library sends
//	- receiver                  -                       handleSnapshot, restore        HandleSnap
//	compaction                  -                       CreateSnapshot, Compact        Compact; next to a node NoteSnapshot, NoteCompaction
//	changes of the cluster      AddNewServer, DeleteServer  ProposeConfChange          ProposeChange, ProposeLearner, ProposeLeave, ProposeDemotion
//	- Redis Raft's              -                       -                              AskAddition, PromoteLearner, AnswerAddition
//	-                           -                       ReadIndex                      ReadIndex
//	writes to disk              PersistState            MsgStorageAppend               Writes, Persist
//
// # The library's configuration
//
// MaxSizePerMsg is the bound batch: 1 is one entry in an append. MaxCommittedSizePerReady and
// MaxUncommittedEntriesSize have no limit. MaxInflightMsgs is the bound inflight: 1 is one append
// at a time, as figure 2 has it, more is the library's pipelining. PreVote, CheckQuorum and
// ReadOnlyOption are the options of these names. Storage begins with a configuration at index 0 and
// no entries, also on servers that are not in it. What is committed is handed to Apply
// (AsyncStorageWrites with a storage that is instantly done) or, with the coarse grain of Apply,
// applied in the same step.
//
// # Steps and calls
//
// Timeout is Campaign. Beat and CheckActive are Step with a MsgBeat and a MsgCheckQuorum from
// LocalAppendThread, which RawNode lets pass. Elapse is as many TickQuiesced as ElectionTick.
// Propose, ProposeChange, Transfer and ReadIndex are the calls of RawNode. A Handle action is Step
// with the message. After each, Ready is taken until there is none. A MsgStorageAppend is written
// and its answers are given out at once, those of the server itself by Step. At the fine grain of
// Replication it waits for Persist. A MsgStorageApply waits for Apply, which takes all that wait.
// Restart is NewRawNode on the same Storage, Compact CreateSnapshot and Compact of the Storage at
// the applied index. AnswerRead is the application's and calls nothing. Status().Config lacks
// AutoLeave (tracker.Config.Clone leaves it out, v3.7.0); what ApplyConfChange returns has it.
//
// # What is not modelled
//
//   - durations: a timeout may happen at any moment, and the time in which a lease ends is Elapse.
//     So reads by lease are not linearizable here, as they are not with clocks that drift
//   - forwarding of proposals by followers, MsgForgetLeader
//   - snapshots over storage that is slower than the server, or with followers that adopt a log at
//     once
//   - limits of sizes in bytes: the bounds count entries and messages
package raft
