# Logs of CCF's consensus (CCF_RAFT_TRACING), compared with its specification raft/ccf:
#
#     multigrain trace ccf-trace.hcl LOG...
#
# Nodes are numbered from 0 in the order of their ids. A log begins with the start of a service. It
# may be what the driver prints, or what its runner makes of it for trace validation. Logs of 2023,
# with the tag "tla", begin with nodes that are configured together. They are judged, too.

system "ccf" {
  source = "github.com/multigrain/multigrain/raft/ccf"
}

variable "servers" {
  type    = number
  default = 6
}

variable "terms" {
  type    = number
  default = 250
}

variable "log" {
  type    = number
  default = 255
}

variable "queue" {
  type    = number
  default = 24
}

variable "batch" {
  type    = number
  default = 48
}

variable "mistake" {
  type    = string
  default = "none"
}

module "election" {
  grain  = "baseline"
  target = true
}

module "replication" {
  grain  = "any-size"
  target = true
}

module "signatures" {
  grain = "baseline"
}

module "client" {
  grain = "baseline"
}

module "reconfiguration" {
  grain = "baseline"
}

module "network" {
  grain = "drop-duplicate"
}

module "log" {
  grain = "driver"
}

bounds {
  servers  = var.servers
  terms    = var.terms
  requests = 250
  log      = var.log
  queue    = var.queue
  batch    = var.batch
  active   = 8
}

options {
  configurations = "any"
  delivery       = "ordered"
  pre_vote       = "capable"
  proposals      = "taken"
  one_append     = false
  one_candidate  = false
  initial        = "any"
  sign_twice     = true
  mistake        = var.mistake
}

trace {
  format = "ccf-raft"

  let {
    i    = event.state.node_id
    from = event.from_node_id
    to   = event.to_node_id
    pre  = coalesce(event.packet.election_type, "RegularVote") == "PreVote"

    type = event.packet.msg
    kind = type == "raft_append_entries" ? "AppendEntriesRequest" : type == "raft_append_entries_response" ? "AppendEntriesResponse" : type == "raft_request_vote" ? "RequestVoteRequest" : type == "raft_request_vote_response" ? "RequestVoteResponse" : "ProposeVoteRequest"

    # What every line says of its node.
    commit = CommitIndex[i] == event.state.commit_idx
    member = (MembershipState[i] == "Active") == (event.state.membership_state == "Active")
    asks   = (PreVoteStatus[i] == "PreVoteEnabled") == coalesce(event.state.pre_vote_enabled, false)
    term   = CurrentTerm[i] == event.state.current_view
    length = length(Log[i]) == event.state.last_idx

    # A node keeps what it has committed.
    kept = event.state.last_idx >= event.state.commit_idx

    # The names of stages in the driver.
    stage = MembershipState[i]
    phase = stage == "RetirementOrdered" ? "Ordered" : stage == "RetirementSigned" ? "Signed" : stage == "RetirementCompleted" ? "Completed" : stage == "RetiredCommitted" ? "RetiredCommitted" : "none"

    # A node that has left the service is None there and a follower here.
    role = "${LeadershipState[i]}" == event.state.leadership_state || MembershipState[i] == "RetiredCommitted"
  }

  # A service starts. Its first node leads in term 2.
  event "become_leader" {
    when  = event.state.current_view == 2 && LeadershipState[i] == "Leader"
    check = [role, term]
  }
  event "replicate" {
    when  = event.seqno == 1
    check = [role, CommitIndex[i] == 0]
  }
  event "add_configuration" {
    when  = event.args.configuration.idx == 1 && LeadershipState[i] == "Leader" && length(Log[i]) == 1
    check = [Configurations[i][0].Nodes == event.args.configuration.nodes]
  }
  event "bootstrap" {
    action = ["SignCommittableMessages", "AdvanceCommitIndex"]
    where  = { I = i }
    check  = [role, length, CommitIndex[i] == event.args.idx, term]
  }

  # A service of 2023 starts: no entry has the configuration.
  event "add_configuration" {
    when   = event.args.configuration.idx == 0
    action = ["Configure"]
    where  = { I = i, Nodes = bits(event.args.configuration.nodes) }
    before = [commit, term, length]
  }

  # Elections.
  event "become_pre_vote_candidate" {
    action = ["Timeout"]
    where  = { I = i }
    check  = [role, commit, member, asks, term, length]
  }
  event "become_candidate" {
    action = ["Timeout"]
    where  = { I = i }
    check  = [role, commit, member, asks, term, length]
  }
  event "become_candidate" {
    action = ["BecomeCandidate"]
    where  = { I = i }
    check  = [role, commit, member, asks, term, length]
  }
  event "become_candidate" {
    check = [role, commit, member, asks, term, length]
  }
  event "become_leader" {
    when   = LeadershipState[i] != "Leader"
    action = ["BecomeLeader"]
    where  = { I = i }
    check  = [role, commit, member, asks, term, length]
  }
  event "become_follower" {
    when  = LeadershipState[i] != "Leader"
    check = [role, commit, member, asks, term, kept]
  }
  event "become_follower" {
    action = ["CheckQuorum"]
    where  = { I = i }
    check  = [role, commit, member, asks, term, kept]
  }
  event "send_request_vote" {
    action = ["RequestVote", "Sent"]
    where = {
      I     = i, J = to, Kind = "RequestVoteRequest", Term = event.packet.term, Index = event.packet.last_committable_idx, LogTerm = event.packet.term_of_last_committable_idx, Commit = 0,
      Count = 0, OK = false, PreVote = pre
    }
    check = [role, commit, member, asks, term, length]
  }
  event "recv_request_vote" {
    action = ["Arrive", "RcvRequestVoteRequest"]
    where = {
      I     = i, J = from, K = 1, Kind = "RequestVoteRequest", Term = event.packet.term, Index = event.packet.last_committable_idx, LogTerm = event.packet.term_of_last_committable_idx, Commit = 0,
      Count = 0, OK = false, PreVote = pre
    }
    before = [commit, member, asks, kept]
  }
  event "recv_request_vote" {
    action = ["Arrive", "RcvUpdateTerm", "RcvRequestVoteRequest"]
    where = {
      I     = i, J = from, K = 1, Kind = "RequestVoteRequest", Term = event.packet.term, Index = event.packet.last_committable_idx, LogTerm = event.packet.term_of_last_committable_idx, Commit = 0,
      Count = 0, OK = false, PreVote = pre
    }
    before = [commit, member, asks, kept]
  }
  event "send_request_vote_response" {
    action = ["Sent"]
    where = {
      I = i, J = to, Kind = "RequestVoteResponse", Term = event.packet.term, Index = 0, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.vote_granted, PreVote = pre
    }
    check = [role, commit, member, asks, term, length]
  }
  event "recv_request_vote_response" {
    action = ["Arrive", "RcvRequestVoteResponse"]
    where = {
      I = i, J = from, K = 1, Kind = "RequestVoteResponse", Term = event.packet.term, Index = 0, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.vote_granted, PreVote = pre
    }
    before = [commit, member, asks, length]
  }
  event "recv_request_vote_response" {
    action = ["Arrive", "RcvUpdateTerm", "DropResponseWhenNotInState"]
    where = {
      I = i, J = from, K = 1, Kind = "RequestVoteResponse", Term = event.packet.term, Index = 0, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.vote_granted, PreVote = pre
    }
    before = [commit, member, asks, length]
  }
  event "recv_request_vote_response" {
    action = ["Arrive", "DropResponseWhenNotInState"]
    where = {
      I = i, J = from, K = 1, Kind = "RequestVoteResponse", Term = event.packet.term, Index = 0, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.vote_granted, PreVote = pre
    }
    before = [commit, member, asks, length]
  }
  event "recv_request_vote_response" {
    action = ["Arrive", "DropStaleResponse"]
    where = {
      I = i, J = from, K = 1, Kind = "RequestVoteResponse", Term = event.packet.term, Index = 0, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.vote_granted, PreVote = pre
    }
    before = [commit, member, asks, length]
  }
  event "recv_request_vote_response" {
    action = ["Arrive", "DropIgnoredMessage"]
    where = {
      I = i, J = from, K = 1, Kind = "RequestVoteResponse", Term = event.packet.term, Index = 0, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.vote_granted, PreVote = pre
    }
    before = [commit, member, asks, length]
  }
  event "recv_propose_request_vote" {
    action = ["Arrive", "RcvProposeVoteRequest"]
    where = {
      I = i, J = from, K = 1, Kind = "ProposeVoteRequest", Term = event.packet.term, Index = 0, LogTerm = 0, Commit = 0, Count = 0, OK = false, PreVote = false
    }
    before = [commit, member, asks, length]
  }

  # The leader is about to stop. Whom it proposes its line does not say.
  event "step_down_and_nominate_successor" {
    action = ["Propose"]
    where  = { I = i }
    before = [role, commit, member, asks, term, length]
  }

  # A proposal of another term is ignored, as a lost one is.
  event "recv_propose_request_vote" {
    when   = event.packet.term != event.state.current_view
    action = ["Arrive", "Drop"]
    where = {
      I = i, J = from, K = 1, Kind = "ProposeVoteRequest", Term = event.packet.term, Index = 0, LogTerm = 0, Commit = 0, Count = 0, OK = false, PreVote = false
    }
    before = [commit, member, asks, length]
  }

  # A leader appends. The line of a configuration follows the line of its entry.
  event "replicate" {
    when   = event.seqno > 1 && event.globally_committable
    action = ["SignCommittableMessages"]
    where  = { I = i }
    before = [role, commit, member, asks, term, length]
  }
  event "replicate" {
    when   = event.seqno > 1 && !event.globally_committable && event.cmd[0] == "cleanup_nodes"
    action = ["AppendRetiredCommitted"]
    where  = { I = i }
    before = [role, commit, member, asks, term, length]
  }
  event "replicate" {
    when   = event.seqno > 1 && !event.globally_committable && event.cmd[0] != "cleanup_nodes"
    action = ["ClientRequest"]
    where  = { I = i }
    before = [role, commit, member, asks, term, length]
  }
  event "replicate" {
    when  = event.seqno > 1 && !event.globally_committable
    check = [role, commit, member, asks, term, length]
  }
  event "add_configuration" {
    when   = event.args.configuration.idx > 0 && LeadershipState[i] == "Leader"
    action = ["ChangeConfiguration"]
    where  = { I = i, Nodes = bits(event.args.configuration.nodes) }
    before = [role, commit, member, asks, term, length, length(Log[i]) == event.args.configuration.idx - 1]
  }
  event "add_configuration" {
    when  = event.args.configuration.idx > 0 && LeadershipState[i] != "Leader"
    check = [role, term]
  }
  event "commit" {
    when   = LeadershipState[i] == "Leader"
    action = ["AdvanceCommitIndex"]
    where  = { I = i }
    before = [role, commit, member, asks, term, length]
    check  = [CommitIndex[i] == event.args.idx]
  }
  event "commit" {
    when   = LeadershipState[i] == "Leader"
    action = ["AdvanceCommitIndexAndProposeVote"]
    where  = { I = i }
    before = [role, commit, member, asks, term, length]
    check  = [CommitIndex[i] == event.args.idx]
  }
  event "commit" {
    when  = LeadershipState[i] != "Leader"
    check = [role, term, CommitIndex[i] >= event.args.idx]
  }

  # In 2023 these lines showed the node afterwards. An entry that a follower appends belongs to the
  # step that takes the append.
  event "append" {
    when   = LeadershipState[i] == "Leader" && event.globally_committable
    action = ["SignCommittableMessages"]
    where  = { I = i }
    check  = [length(Log[i]) == event.index]
  }
  event "append" {
    when   = LeadershipState[i] == "Leader" && !event.globally_committable
    action = ["ClientRequest"]
    where  = { I = i }
    check  = [length(Log[i]) == event.index]
  }
  event "append" {
    when  = LeadershipState[i] != "Leader"
    check = [length(Log[i]) >= event.index, (Log[i][event.index - 1].Type == "TypeSignature") == event.globally_committable]
  }
  event "committed" {
    when   = LeadershipState[i] == "Leader"
    action = ["AdvanceCommitIndex"]
    where  = { I = i }
    check  = [role, commit, member, term, length]
  }
  event "committed" {
    when  = LeadershipState[i] != "Leader"
    check = [role, term, kept, CommitIndex[i] >= event.state.commit_idx]
  }

  # Replication. An append and its answer are one step.
  event "send_append_entries" {
    action = ["AppendEntriesOfSize", "Sent"]
    where = {
      I     = i, J = to, Size = event.packet.idx - event.packet.prev_idx, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [MatchIndex[i][to] == coalesce(event.match_idx, MatchIndex[i][to])]
    check  = [role, commit, member, asks, term]
  }
  event "recv_append_entries" {
    action = ["Arrive", "AcceptAppendEntries"]
    where = {
      I     = i, J = from, K = 1, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [commit, asks, kept]
  }
  event "recv_append_entries" {
    action = ["Arrive", "RejectAppendEntries"]
    where = {
      I     = i, J = from, K = 1, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [commit, asks, kept]
  }
  event "recv_append_entries" {
    action = ["Arrive", "RcvUpdateTerm", "AcceptAppendEntries"]
    where = {
      I     = i, J = from, K = 1, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [commit, asks, kept]
  }
  event "recv_append_entries" {
    action = ["Arrive", "RcvUpdateTerm", "RejectAppendEntries"]
    where = {
      I     = i, J = from, K = 1, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [commit, asks, kept]
  }
  event "recv_append_entries" {
    action = ["Arrive", "ReturnToFollower", "AcceptAppendEntries"]
    where = {
      I     = i, J = from, K = 1, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [commit, asks, kept]
  }
  event "recv_append_entries" {
    action = ["Arrive", "ReturnToFollower", "RejectAppendEntries"]
    where = {
      I     = i, J = from, K = 1, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [commit, asks, kept]
  }

  # An append that is older than what is committed, or that conflicts a second time, is ignored.
  event "recv_append_entries" {
    when   = event.packet.prev_idx < event.state.commit_idx || !IsNewFollower[i]
    action = ["Arrive", "Drop"]
    where = {
      I     = i, J = from, K = 1, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [commit, asks, kept]
  }
  event "recv_append_entries" {
    when   = event.packet.prev_idx < event.state.commit_idx || !IsNewFollower[i]
    action = ["Arrive", "RcvUpdateTerm", "Drop"]
    where = {
      I     = i, J = from, K = 1, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [commit, asks, kept]
  }
  event "recv_append_entries" {
    when   = event.packet.prev_idx < event.state.commit_idx || !IsNewFollower[i]
    action = ["Arrive", "ReturnToFollower", "Drop"]
    where = {
      I     = i, J = from, K = 1, Kind = "AppendEntriesRequest", Term = event.packet.term, Index = event.packet.prev_idx, LogTerm = event.packet.prev_term, Commit = event.packet.leader_commit_idx,
      Count = event.packet.idx - event.packet.prev_idx, OK = false, PreVote = false
    }
    before = [commit, asks, kept]
  }
  event "execute_append_entries_sync" {
    check = [role, term, asks]
  }
  event "send_append_entries_response" {
    action = ["Sent"]
    where = {
      I = i, J = to, Kind = "AppendEntriesResponse", Term = event.packet.term, Index = event.packet.last_log_idx, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.success == "OK", PreVote = false
    }
    check = [role, commit, member, asks, term, length]
  }
  event "recv_append_entries_response" {
    action = ["Arrive", "DropResponseWhenNotInState"]
    where = {
      I = i, J = from, K = 1, Kind = "AppendEntriesResponse", Term = event.packet.term, Index = event.packet.last_log_idx, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.success == "OK", PreVote = false
    }
    before = [commit, member, asks, length, SentIndex[i][from] == coalesce(event.sent_idx, SentIndex[i][from]), MatchIndex[i][from] == coalesce(event.match_idx, MatchIndex[i][from])]
  }
  event "recv_append_entries_response" {
    action = ["Arrive", "RcvAppendEntriesResponse"]
    where = {
      I = i, J = from, K = 1, Kind = "AppendEntriesResponse", Term = event.packet.term, Index = event.packet.last_log_idx, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.success == "OK", PreVote = false
    }
    before = [commit, member, asks, length, SentIndex[i][from] == coalesce(event.sent_idx, SentIndex[i][from]), MatchIndex[i][from] == coalesce(event.match_idx, MatchIndex[i][from])]
  }
  event "recv_append_entries_response" {
    action = ["Arrive", "RcvUpdateTerm", "DropResponseWhenNotInState"]
    where = {
      I = i, J = from, K = 1, Kind = "AppendEntriesResponse", Term = event.packet.term, Index = event.packet.last_log_idx, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.success == "OK", PreVote = false
    }
    before = [commit, member, asks, length, SentIndex[i][from] == coalesce(event.sent_idx, SentIndex[i][from]), MatchIndex[i][from] == coalesce(event.match_idx, MatchIndex[i][from])]
  }
  event "recv_append_entries_response" {
    action = ["Arrive", "DropStaleResponse"]
    where = {
      I = i, J = from, K = 1, Kind = "AppendEntriesResponse", Term = event.packet.term, Index = event.packet.last_log_idx, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.success == "OK", PreVote = false
    }
    before = [commit, member, asks, length, SentIndex[i][from] == coalesce(event.sent_idx, SentIndex[i][from]), MatchIndex[i][from] == coalesce(event.match_idx, MatchIndex[i][from])]
  }
  event "recv_append_entries_response" {
    action = ["Arrive", "DropIgnoredMessage"]
    where = {
      I = i, J = from, K = 1, Kind = "AppendEntriesResponse", Term = event.packet.term, Index = event.packet.last_log_idx, LogTerm = 0, Commit = 0, Count = 0, OK = event.packet.success == "OK", PreVote = false
    }
    before = [commit, member, asks, length, SentIndex[i][from] == coalesce(event.sent_idx, SentIndex[i][from]), MatchIndex[i][from] == coalesce(event.match_idx, MatchIndex[i][from])]
  }

  # What the script of the driver asserts.
  event "assert_commit_idx" {
    check = [CommitIndex[i] == number(event.cmd[2])]
  }
  event "assert_detail" {
    when  = event.cmd[2] == "leadership_state"
    check = [(MembershipState[i] == "RetiredCommitted" && LeadershipState[i] == "Follower" ? (event.cmd[3] == "None" || event.cmd[3] == "Follower") : "${LeadershipState[i]}" == event.cmd[3]) == true]
  }
  event "assert_detail" {
    when  = event.cmd[2] == "current_view"
    check = [CurrentTerm[i] == number(event.cmd[3])]
  }
  event "assert_detail" {
    when  = event.cmd[2] == "membership_state"
    check = [(MembershipState[i] == "Active" ? "Active" : "Retired") == event.cmd[3]]
  }
  event "assert_detail" {
    when  = event.cmd[2] == "retirement_phase"
    check = [phase == event.cmd[3]]
  }

  # The driver says which messages it loses.
  event "drop_pending_to" {
    action = ["Arrive", "Drop"]
    where = {
      I       = to, J = from, K = 1, Kind = kind, Term = event.packet.term, Index = coalesce(event.packet.prev_idx, event.packet.last_log_idx, event.packet.last_committable_idx, 0),
      LogTerm = coalesce(event.packet.prev_term, event.packet.term_of_last_committable_idx, 0), Commit = coalesce(event.packet.leader_commit_idx, 0),
      Count   = coalesce(event.packet.idx, 0) - coalesce(event.packet.prev_idx, 0), OK = coalesce(event.packet.success, "FAIL") == "OK" || coalesce(event.packet.vote_granted, false), PreVote = pre
    }
  }

  # How a node is configured, before it has joined.
  unlogged "EnablePreVote" {
    max   = 1
    when  = coalesce(event.state.pre_vote_enabled, false)
    where = { I = i }
  }
}

check {
  invariants = ["LogInv", "MoreThanOneLeaderInv", "CandidateTermNotInLogInv", "ElectionSafetyInv", "LogMatchingInv", "QuorumLogInv", "LeaderCompletenessInv", "SignatureInv", "TypeInv", "MonoTermInv", "MonoLogInv", "NoLeaderBeforeInitialTerm", "LogConfigurationConsistentInv", "MembershipStateConsistentInv"]
}

expect {
  verdict = "unexplored" # it has no bounds that limit a search
}
