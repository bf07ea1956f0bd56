# CCF's consensus, as its published specification has it. The variables are those that bound the
# published model: RAFT_CONFIGS is configurations, TERM_COUNT=n is terms = n+2, and REQUEST_COUNT=n is
# requests = n+1.

system "ccf" {
  source = "github.com/multigrain/multigrain/raft/ccf"
}

variable "configurations" {
  type    = string
  default = "1C2N"
}

variable "servers" {
  type    = number
  default = 2
}

variable "terms" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 2
}

variable "delivery" {
  type    = string
  default = "ordered-no-dup"
}

variable "pre_vote" {
  type    = string
  default = "any"
}

variable "proposals" {
  type    = string
  default = "taken"
}

variable "one_append" {
  type    = bool
  default = true
}

variable "one_candidate" {
  type    = bool
  default = true
}

variable "mistake" {
  type    = string
  default = "none"
}

variable "log" {
  type    = number
  default = 24
}

variable "queue" {
  type    = number
  default = 6
}

variable "wire" {
  type    = number
  default = 60
}

variable "constraints" {
  type    = list(string)
  default = []
}

variable "batch" {
  type    = number
  default = 1
}

variable "drops" {
  type    = number
  default = 0
}

variable "duplicates" {
  type    = number
  default = 0
}

variable "timeouts" {
  type    = number
  default = null
}

variable "step_downs" {
  type    = number
  default = null
}

variable "changes" {
  type    = number
  default = null
}

variable "invariants" {
  type    = list(string)
  default = ["LogInv", "MoreThanOneLeaderInv", "CandidateTermNotInLogInv", "ElectionSafetyInv", "LogMatchingInv", "QuorumLogInv", "LeaderCompletenessInv", "SignatureInv", "TypeInv", "MonoTermInv", "MonoLogInv", "NoLeaderBeforeInitialTerm", "LogConfigurationConsistentInv", "MembershipStateConsistentInv", "CommitCommittableIndices", "ReplicationInv", "RetiredCommittedInv", "RetirementCompletedNotInConfigsInv", "RetirementCompletedAreRetirementCompletedInv", "CommittedLogAppendOnlyProp", "MonotonicCommitIndexProp", "MonotonicTermProp", "MonotonicMatchIndexProp", "PermittedLogChangesProp", "StateTransitionsProp", "MembershipStateTransitionsProp", "PendingBecomesFollowerProp", "NeverCommitEntryPrevTermsProp", "VotesGrantedMonotonicProp", "RefinementToAbsProp"]
}

module "election" {
  grain = "baseline"
}

module "replication" {
  grain  = "baseline"
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

options {
  configurations = var.configurations
  delivery       = var.delivery
  pre_vote       = var.pre_vote
  proposals      = var.proposals
  one_append     = var.one_append
  one_candidate  = var.one_candidate
  mistake        = var.mistake
}

bounds {
  servers    = var.servers
  terms      = var.terms
  requests   = var.requests
  log        = var.log
  queue      = var.queue
  wire       = var.wire
  batch      = var.batch
  drops      = var.drops
  duplicates = var.duplicates
  timeouts   = var.timeouts
  step_downs = var.step_downs
  changes    = var.changes
}

check {
  invariants  = var.invariants
  constraints = var.constraints
  unused      = var.configurations == "1C2N" && var.terms == 2 && var.mistake == "none" ? ["Timeout", "BecomeCandidate", "RequestVote", "RcvRequestVoteRequest", "RcvRequestVoteResponse", "BecomeLeader", "RcvUpdateTerm", "RcvProposeVoteRequest", "DropIgnoredMessage", "DropStaleResponse", "RejectAppendEntries", "ReturnToFollower", "AdvanceCommitIndexAndProposeVote", "ChangeConfiguration", "AppendRetiredCommitted"] : []
}
