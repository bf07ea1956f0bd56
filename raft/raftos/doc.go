// Package raftos is Raft as the Python library RaftOS 0.2.6 runs it. The driver raft/drivers/raftos
// connects it to the library.
//
// It is a specification of its own, because the library differs from package raft in most steps. An
// append has at most one entry. A vote is kept when the term moves on and forgotten when the server
// becomes a follower. Votes and acknowledgements are counted whatever their term is. There is no
// PreVote, and a leader has no entry of its own.
//
// # Names
//
// Names of the library are those of state.py and storage.py.
//
//	figure 2              library                              here
//	currentTerm           FileStorage term                     Term
//	votedFor              FileStorage voted_for                Vote
//	log[]                 Log                                  Log
//	commitIndex           Log.commit_index                     Commit
//	lastApplied           Log.last_applied                     Applied
//	state                 the class of State.state             Role
//	-                     State.leader                         Lead
//	votes received        Candidate.vote_count                 Votes
//	nextIndex[]           Log.next_index                       Next
//	matchIndex[]          Log.match_index                      Match
//	RequestVote           request_vote, ..._response           HandleVote, HandleVoteResponse
//	AppendEntries         append_entries, ..._response         HandleAppend, HandleAppendResponse
//	election timeout      Follower.election_timer              Timeout
//	-                     Candidate.election_timer             GiveUp
//	-                     Leader.step_down_timer               StepDown
//
// # Steps
//
// The library runs in an event loop. A step is a callback of a timer, a message or a command of a
// client, with all that it schedules. Messages travel by UDP: they may overtake each other, get
// lost and come twice. An exception of the library in a step is an assertion of the specification,
// and nothing is assumed of the state after it.
//
// # Deviations
//
//   - Deviation: the variables of candidates and leaders are zero in other roles. The library keeps
//     the old values and sets them before it reads them (Leader.init_log).
//   - Deviation: a restart is one step.
//
// # What is not modelled
//
//   - the number of a round of heartbeats, which messages carry. It only says when step_down_timer
//     begins again, and timers run out at any time here. That an answer lacks it is modelled.
//   - the values of the replicated object, and clients that wait for them
//   - encryption: the driver installs the library without it
package raftos
