// Package ccf is the consensus of the Confidential Consortium Framework, CCF, as its published
// specification has it: tla/consensus at commit 7a4b2114b97e3e133d05a8cc0c7b3cfbb6e7f7a1 of
// microsoft/CCF (2025-11-05). The code is src/consensus/aft of the same commit.
//
// It is a specification of its own, because CCF differs from package raft in most messages. The
// paper is Howard, Kuppe, Ashton, Chamayou and Crooks, "Smart Casual Verification of the
// Confidential Consortium Framework" (2025); section 2.1 lists the differences:
//
//   - signatures: only a signature can be committed, and it commits the entries before it
//   - messages, not calls: an answer has the index that it vouches for
//   - optimistic acknowledgement: the sent index moves when an append is sent
//   - express catch-up: a refusal estimates where the logs still agree
//   - CheckQuorum: a leader may step down
//   - configurations are entries, and a decision needs a quorum in each of the active ones
//   - a removed node retires in stages, and a leader that retires proposes its successor
//   - pre-vote: a node asks first whether it would get votes
//
// # Names
//
//	ccfraft.tla             raft.h                       here
//	currentTerm             state->current_view          CurrentTerm
//	leadershipState         state->leadership_state      LeadershipState
//	membershipState         state->retirement_phase      MembershipState
//	votedFor                voted_for                    VotedFor
//	isNewFollower           is_new_follower              IsNewFollower
//	preVoteStatus           state->pre_vote_enabled      PreVoteStatus
//	log                     ledger, last_idx             Log
//	commitIndex             state->commit_idx            CommitIndex
//	configurations          configurations               Configurations
//	hasJoined               -                            HasJoined
//	retirementCompleted     retired_nodes                RetirementCompleted
//	votesGranted            votes_for_me                 VotesGranted
//	sentIndex               sent_idx                     SentIndex
//	matchIndex              match_idx                    MatchIndex
//	messages                channels                     Bag, Stream
//	StartTerm               starting_view_change         StartTerm
//
// Actions and invariants have their names of ccfraft.tla. An action of ccfraft.tla that has several
// cases is one action here for each case: RcvAppendEntriesRequest is RejectAppendEntries,
// ReturnToFollower and AcceptAppendEntries.
//
// # Logs
//
// The module log has what only lines of a log show, see logged.go. The manifest ccf-trace.hcl says
// what each line of CCF's raft driver stands for. Logs of 2023 begin with the action Configure.
//
// Its grain scenario has the clock and the outboxes of CCF's raft driver, see scenario.go. The
// manifest ccf-scenario.hcl judges scripts of the driver.
//
// # Clients
//
// The grain observed of module client has what clients send and receive, see observed.go. It is
// compared with package consistency.
//
// # Bounds
//
// MCccfraft.tla bounds the state space by five constraints. Here they are bounds and options: the
// bounds terms and requests, the option one_append, the option one_candidate, and the option
// configurations. A signature never follows a signature of the same term. A bound says how many
// requests a log may have: REQUEST_COUNT=n is requests = n+1, and TERM_COUNT=n is terms = n+2.
//
// # Deviations
//
//   - Deviation: each pair of nodes has a channel. ccfraft.tla has one inbox for each node, and its
//     ordered deliveries read the first message of each sender. So the order of messages of
//     different senders in an inbox tells states apart there, and no step reads that order.
//
//   - Deviation: ccfraft.tla can never take a proposal to become a candidate. BecomeCandidate
//     leaves the messages as they are, and the same step discards the proposal. It may only drop
//     one, since the sender is no longer in the configuration. The option proposals has the
//     behaviour of raft.h as its default; "published" is that of ccfraft.tla.
//
//   - Deviation: a follower that has the first entries of a batch appends the others. In
//     ccfraft.tla such an append is stuck. Its appends have at most one entry, so that it cannot
//     happen there.
//
//   - Deviation: LeaderCompletenessInv is that of pull request 7970 (June 2026). The published one
//     of this commit compares a leader with all entries of its term and of earlier terms, whoever
//     has committed them. It is false where an old leader still leads, and the next one has
//     committed other entries with its own signature.
//
//   - The option follower_commit: a follower of this commit takes the commit index over as far as
//     its log goes, although the append shows less. So it may commit entries of an old leader, and
//     LogInv is false. CCF has repaired that in August 2026 (pull request 8172): "append".
//
// # What is not modelled
//
//   - ledgers on disk, snapshots, and nodes that crash: a node keeps its memory
//   - clocks: what they cause may happen at any moment
//   - the limit of uncommitted transactions (max_uncommitted_tx_count)
//   - what transactions contain, governance, and attestation
package ccf
