# CCF's consensus with its clients: what they send and receive is what ccf-consistency.hcl allows.
#
#     multigrain refine configs/raft/ccf-clients.hcl configs/raft/ccf-consistency-service.hcl

extends = "ccf.hcl"

variable "history" {
  type    = number
  default = 4
}

variable "reads" {
  type    = string
  default = "leader"
}

variable "client" {
  type    = string
  default = "observed"
}

variable "terms" {
  default = 3
}

variable "pre_vote" {
  default = "disabled"
}

variable "timeouts" {
  default = 1
}

variable "step_downs" {
  default = 0
}

variable "log" {
  default = 7
}

variable "requests" {
  default = 0
}

module "client" {
  grain = var.client
}

options {
  reads = var.reads
}

bounds {
  history = var.history
}

# Two servers, one election and no change of members: these steps are not needed.
check {
  unused = var.configurations == "1C2N" && var.terms == 3 && var.timeouts == 1 && var.mistake == "none" ? ["BecomeCandidate", "RcvProposeVoteRequest",
  "DropIgnoredMessage", "DropStaleResponse", "ReturnToFollower", "AdvanceCommitIndexAndProposeVote", "ChangeConfiguration", "AppendRetiredCommitted"] : []
}

refines "ccf-consistency" {
  map       = "github.com/multigrain/multigrain/raft/ccf/consistency.OfConsensus"
  variables = ["History"]
}
