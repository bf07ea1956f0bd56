// Package reference is a small Raft whose state space is published. It has the same semantics and
// the same bounds as the TLA+ module RaftS. On that module TLC, Spin and this framework have been
// counted and timed side by side. It is the yardstick for the engine, not a model of an
// implementation; package raft is the protocol at several grains.
//
// The protocol is that of Ongaro and Ousterhout, "In Search of an Understandable Consensus
// Algorithm" (2014), figure 2, in the form of Ongaro's raft.tla with these choices of RaftS:
//
//   - channels are first in, first out and hold at most MaxQueue messages; an action that sends
//     waits for room
//   - an AppendEntries request carries at most one entry
//   - terms start at 1; a server that is not a leader may time out at any moment while its term is
//     below MaxTerm
//   - a newer term in the first message of a channel is taken over in a step of its own, which
//     leaves the message in place
//   - a reply is sent in the step that takes the request, so a full channel back blocks a request
//
// Not modelled: membership changes, snapshots, batches of entries, pre-votes, leases and reads,
// durations.
//
// # Names
//
//	figure 2                      raft.tla                      RaftS           here
//	currentTerm                   currentTerm                   term            Term
//	follower, candidate, leader   state                         role            Role
//	votedFor                      votedFor                      voted           Voted
//	votes received                votesGranted                  votes           Votes
//	log[]                         log                           log             Log
//	commitIndex                   commitIndex                   commit          Commit
//	nextIndex[]                   nextIndex                     next            Next
//	matchIndex[]                  matchIndex                    match           Match
//	RPCs in flight                messages                      ch              Msgs
//	-                             -                             reqs            Reqs
//	-                             -                             crashes, drops  the budgets crashes and drops
//	election timeout              Timeout                       Timeout         Timeout
//	RequestVote RPC               RequestVote                   SendRV          SendRV
//	- receiver                    HandleRequestVoteRequest      RecvRV          RecvRV
//	- result                      HandleRequestVoteResponse     RecvRVR         RecvRVR
//	wins an election              BecomeLeader                  BecomeLeader    BecomeLeader
//	command from a client         ClientRequest                 ClientReq       ClientReq
//	AppendEntries RPC             AppendEntries                 SendAE          SendAE
//	- receiver                    HandleAppendEntriesRequest    RecvAE          RecvAE
//	- result                      HandleAppendEntriesResponse   RecvAER         RecvAER
//	advance commitIndex           AdvanceCommitIndex            AdvanceCommit   AdvanceCommit
//	rules for all servers         UpdateTerm                    UpdateTerm      UpdateTerm
//	-                             Restart                       Restart         Restart
//	-                             DropMessage                   Drop            Drop
//
// Servers are 0 to Servers-1; positions in a log and indexes count from 1, 0 is "before the first
// entry".
//
// Deviation: RaftS names the channel of a received message by its sender first, RecvRV(i, j) for a
// message from i to j. Here the acting server comes first, as in every specification of this
// project: RecvRV{I, J} takes a message from J to I.
package reference
