# Scripts of CCF's raft driver (tests/raft_scenarios), judged on its specification raft/ccf:
#
#     multigrain trace ccf-scenario.hcl SCRIPT
#
# A script holds if the specification has a behaviour that does what its commands say, and for which
# its asserts are true. Nodes are numbered from 0 in the order of their ids. What a script leaves
# open the specification chooses: random time-outs, sizes of appends, and successors.

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
  default = 40
}

variable "batch" {
  type    = number
  default = 24
}

# What nodes do until a script says it: pre_vote_enabled.
variable "pre_vote" {
  type    = bool
  default = false
}

# How far a follower commits: see the option follower_commit.
variable "follower_commit" {
  type    = string
  default = "log"
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
  grain = "scenario"
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
  initial        = "started"
  sign_twice     = true
  mistake        = var.mistake

  follower_commit = var.follower_commit
}

trace {
  format = "ccf-scenario"

  let {
    i = event.node
    j = event.peer
    d = Driver[0]

    # The leader of the command's term.
    leads   = LeadershipState[I] == "Leader" && coalesce(event.term, CurrentTerm[I]) == CurrentTerm[I] && length([for k in event.created : k if event.latest && LeadershipState[k] == "Leader" && CurrentTerm[k] > CurrentTerm[I]]) == 0
    leaders = length([for k in event.created : k if LeadershipState[k] == "Leader"])

    # The leader of the latest term, and whether the nodes that have not left agree.
    primary = [for k in event.created : k if LeadershipState[k] == "Leader" && length([for m in event.created : m if LeadershipState[m] == "Leader" && CurrentTerm[m] > CurrentTerm[k]]) == 0]
    active  = [for k in event.created : k if MembershipState[k] == "Active"]
    apart   = [for k in active : k if CurrentTerm[k] != CurrentTerm[active[0]] || CommitIndex[k] != CommitIndex[active[0]] || Log[k] != Log[active[0]]]

    # The other nodes of a node's configurations.
    peers = [for k in event.created : k if k != i && length([for c in Configurations[i] : c if contains(c.Nodes, k)]) > 0]

    # A message is taken in its own term.
    takes = d.Receives && !d.Newer

    # The names of stages in the driver.
    stage = MembershipState[i]
    phase = stage == "RetirementOrdered" ? "Ordered" : stage == "RetirementSigned" ? "Signed" : stage == "RetirementCompleted" ? "Completed" : stage == "RetiredCommitted" ? "RetiredCommitted" : "null"
    view  = text(CurrentTerm[i])
    left  = stage == "Active" ? "Active" : "Retired"

    # A node that has left is a follower here. In the driver it is None, and a follower once it has
    # heard of a later leader.
    role = "${LeadershipState[i]}"
    away = stage == "RetiredCommitted" && LeadershipState[i] == "Follower"
    none = away && event.detail == "leadership_state"

    detail = event.detail == "leadership_state" ? role : event.detail == "current_view" ? view : event.detail == "membership_state" ? left : phase
  }

  # Nodes start.
  event "create" {
    when   = coalesce(event.pre_vote, var.pre_vote)
    action = ["EnablePreVote"]
    where  = { I = i }
  }
  event "create" {
    when = !coalesce(event.pre_vote, var.pre_vote)
  }
  event "start_node" {
    check = [LeadershipState[i] == "Leader", length(Log[i]) == 1]
  }

  # The leader of a term appends. Without a leader the driver leaves a command of the latest term out.
  event "replicate" {
    action = ["ClientRequest"]
    before = [leads]
  }
  event "replicate" {
    when   = event.latest
    before = [leaders == 0]
  }
  event "emit_signature" {
    action = ["SignCommittableMessages"]
    before = [leads]
  }
  event "emit_signature" {
    when   = event.latest
    before = [leaders == 0]
  }
  event "cleanup_nodes" {
    action = ["AppendRetiredCommitted"]
    before = [leads]
  }
  event "cleanup_nodes" {
    when   = event.latest
    before = [leaders == 0]
  }
  event "configure" {
    action = ["ChangeConfiguration"]
    where  = { Nodes = bits(event.nodes) }
    before = [leads]
  }
  event "configure" {
    when   = event.latest
    before = [leaders == 0]
  }

  # The driver.
  event "connect" {
    action = ["Connect"]
    where  = { I = i, J = j }
  }
  event "disconnect" {
    action = ["Disconnect"]
    where  = { I = i, J = j }
  }
  # A leader proposes a successor, if there is another node. Others ignore the command.
  event "nominate_successor" {
    action = ["Nominate"]
    where  = { I = i }
  }
  event "nominate_successor" {
    before = [LeadershipState[i] != "Leader" || length(peers) == 0]
  }
  event "periodic_one" {
    action = ["Periodic"]
    where  = { I = i, Ms = event.ms }
  }
  event "count" {
    action = ["Count"]
  }
  event "dispatch_one" {
    action = ["DispatchFrom"]
    where  = { I = i, Due = 255 }
  }
  event "dispatch_counted" {
    action = ["DispatchCounted"]
    where  = { I = i }
  }
  event "dispatch_single" {
    action = ["DispatchSingle"]
    where  = { I = i, J = j }
  }
  event "drop_pending_to" {
    action = ["DropPending"]
    where  = { I = i, J = j }
  }
  event "settled" {
    action = ["Settle"]
  }
  event "until_sync" {
    action = ["Pick"]
    where  = { I = primary[0] }
    before = [leaders > 0]
  }
  event "periodic_primary" {
    action = ["Periodic"]
    where  = { I = d.Primary, Ms = event.ms }
    before = [length(apart) > 0]
  }
  event "periodic_primary" {
    before = [length(apart) == 0]
  }
  event "loop_until_sync" {
    check = [length(apart) == 0]
  }

  # Asserts. That what is committed is safe is an invariant, which holds in every state.
  event "assert_commit_idx" {
    check = [CommitIndex[i] == event.idx]
  }
  event "assert_detail" {
    check = [detail == event.value || none && event.value == "None"]
  }
  event "assert_not_detail" {
    check = [detail != event.value || none]
  }
  event "assert_config" {
    check = [length([for c in Configurations[i] : c if c.Index == event.idx && c.Nodes == event.nodes]) == 1]
  }
  event "assert_absent_config" {
    check = [length([for c in Configurations[i] : c if c.Index == event.idx]) == 0]
  }
  event "assert_state_sync" {
    check = [length([for k in event.created : k if CurrentTerm[k] != CurrentTerm[event.created[0]] || CommitIndex[k] != CommitIndex[event.created[0]] || Log[k] != Log[event.created[0]]]) == 0]
  }
  event "assert_last_txid" {
    check = [length(Log[i]) == event.idx, Log[i][event.idx - 1].Term == event.term]
  }
  event "assert_commit_safety" {}
  event "assert_is_primary" {
    check = [role == "Leader"]
  }
  event "assert_is_backup" {
    check = [role == "Follower"]
  }
  event "assert_is_candidate" {
    check = [role == "Candidate"]
  }
  event "assert_isnot_primary" {
    check = [role != "Leader"]
  }
  event "assert_isnot_backup" {
    check = [role != "Follower" || away]
  }
  event "assert_isnot_candidate" {
    check = [role != "Candidate"]
  }
  event "assert_is_retired" {
    check = [left == "Retired"]
  }
  event "assert_is_active" {
    check = [left == "Active"]
  }

  # What nodes do at once: a message is taken, and what raft.h does for it is done.
  unlogged "Dispatch" {
    max    = 255
    events = ["settled"]
  }
  unlogged "Ignore" {
    max    = 255
    events = ["settled"]
  }
  unlogged "RcvUpdateTerm" {
    max    = 255
    events = ["settled"]
    when   = d.Newer
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "DropIgnoredMessage" {
    max    = 255
    events = ["settled"]
    when   = takes && d.Kind != "AppendEntriesRequest"
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "ReturnToFollower" {
    max    = 255
    events = ["settled"]
    when   = takes
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "AcceptAppendEntries" {
    max    = 255
    events = ["settled"]
    when   = takes
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "RejectAppendEntries" {
    max    = 255
    events = ["settled"]
    when   = takes
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "RcvAppendEntriesResponse" {
    max    = 255
    events = ["settled"]
    when   = takes && LeadershipState[d.To] == "Leader"
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "RcvRequestVoteRequest" {
    max    = 255
    events = ["settled"]
    when   = takes
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "RcvRequestVoteResponse" {
    max    = 255
    events = ["settled"]
    when   = takes
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "RcvProposeVoteRequest" {
    max    = 255
    events = ["settled"]
    when   = takes
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "DropStaleResponse" {
    max    = 255
    events = ["settled"]
    when   = takes
    where  = { I = d.To, J = d.By, K = 1 }
  }
  unlogged "DropResponseWhenNotInState" {
    max    = 255
    events = ["settled"]
    when   = takes
    where  = { I = d.To, J = d.By, K = 1 }
  }

  # What the acting node still does.
  unlogged "Timeout" {
    max    = 255
    events = ["settled"]
    when   = d.TimesOut
    where  = { I = d.Acts }
  }
  unlogged "BecomeCandidate" {
    max    = 255
    events = ["settled"]
    when   = d.Elected
    where  = { I = d.Acts }
  }
  unlogged "BecomeLeader" {
    max    = 255
    events = ["settled"]
    when   = d.Elected
    where  = { I = d.Acts }
  }
  unlogged "AdvanceCommitIndex" {
    max    = 255
    events = ["settled"]
    when   = d.Commits
    where  = { I = d.Acts }
  }
  unlogged "AdvanceCommitIndexAndProposeVote" {
    max    = 255
    events = ["settled"]
    when   = d.Commits
    where  = { I = d.Acts }
  }
  unlogged "RequestVote" {
    max    = 255
    events = ["settled"]
    when   = !d.Elected && contains(d.Asks, d.Peer)
    where  = { I = d.Acts, J = d.Peer }
  }
  unlogged "AppendEntriesOfSize" {
    max    = 255
    events = ["settled"]
    when   = !d.Commits && contains(d.Appends, d.Peer)
    where  = { I = d.Acts, J = d.Peer, Size = d.Size }
  }
  unlogged "CheckQuorum" {
    max    = 255
    events = ["settled"]
    when   = d.StepsDown && length(d.Appends) == 0
    where  = { I = d.Acts }
  }
}

check {
  invariants = ["LogInv", "MoreThanOneLeaderInv", "CandidateTermNotInLogInv", "ElectionSafetyInv", "LogMatchingInv", "QuorumLogInv", "LeaderCompletenessInv", "SignatureInv", "TypeInv", "MonoTermInv", "MonoLogInv", "NoLeaderBeforeInitialTerm", "LogConfigurationConsistentInv", "MembershipStateConsistentInv"]
}

expect {
  verdict = "unexplored" # it has no bounds that limit a search
}
