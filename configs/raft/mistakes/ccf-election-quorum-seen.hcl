# CCF, incorrect election quorum tally, as clients see it: two leaders of a term give two transactions one ID.
#
#     multigrain refine configs/raft/mistakes/ccf-election-quorum-seen.hcl configs/raft/ccf-consistency-seen.hcl

extends = "../ccf-elected.hcl"

variable "mistake" {
  default = "election-quorum"
}

variable "configurations" {
  default = "2C5N"
}

variable "servers" {
  default = 5
}

variable "timeouts" {
  default = 2
}

variable "step_downs" {
  default = 1
}

variable "changes" {
  default = 1
}

variable "queue" {
  default = 2
}

variable "log" {
  default = 5
}

variable "wire" {
  default = 1
}

variable "constraints" {
  default = ["appends"]
}

variable "history" {
  default = 4
}

variable "client" {
  default = "observed-at-once"
}

interaction {
  level = "L0"
}

check {
  invariants = ["MoreThanOneLeaderInv"]
  stop       = "first"
}

expect {
  verdict   = var.mistake == "none" ? "holds" : "violated"
  invariant = var.mistake == "none" ? null : "MoreThanOneLeaderInv"
}
