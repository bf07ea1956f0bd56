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
}
