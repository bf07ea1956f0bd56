# Clients and replication of CCF's consensus under test, while a candidacy that wins is one step. So
# a behaviour with several elections is short:
#
#     multigrain refine configs/raft/ccf-elected.hcl configs/raft/ccf-consistency-seen.hcl

extends = "ccf-clients.hcl"

variable "reads" {
  default = "none"
}

variable "history" {
  default = 2
}

# TypeInv and MonoTermInv are about all messages, and CandidateTermNotInLogInv and
# VotesGrantedMonotonicProp about candidates. Requests for votes and candidates do not exist here.
variable "invariants" {
  default = ["LogInv", "MoreThanOneLeaderInv", "ElectionSafetyInv", "LogMatchingInv", "LeaderCompletenessInv", "SignatureInv", "MonoLogInv", "CommitCommittableIndices", "ReplicationInv", "CommittedLogAppendOnlyProp", "MonotonicCommitIndexProp", "MonotonicTermProp", "NeverCommitEntryPrevTermsProp"]
}

module "election" {
  grain = "coarse"
}

module "client" {
  target = var.client == "observed"
}

check {
  unused = var.configurations == "1C2N" && var.terms == 3 && var.timeouts == 1 && var.mistake == "none" ? ["ElectSuccessor", "DropIgnoredOthers", "AdvanceCommitIndexAndProposeVote", "ChangeConfiguration", "AppendRetiredCommitted"] : []
}

interaction {
  level      = "L2"
  max_states = 2000000
  timeout    = "10m"

  accept {
    action    = "BecomeLeader"
    reason    = "a candidacy that lasts, so that the candidate refuses appends of the leader before while its votes are in flight"
    missed    = 12
    views     = 325
    digest    = "e5cf9b4c08100510700a60400000000009000900"
    sequences = "80de57bd003f5894728ee933c9832abe145d4f7a"
  }

  bounds {
    servers  = 2
    terms    = 3
    timeouts = 1
    log      = 6
    history  = 1
  }
}

expect {
  verdict     = "holds"
  interaction = "gap"
  level       = "L2"
}
