# DaosRaft#1: a server that grants a pre-vote records it as a vote, so that a leader votes for others.

extends = "../election-fine.hcl"

module "replication" {
  grain = "coarse-heartbeats" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

variable "mistake" {
  type    = string
  default = "leader-votes"
}

variable "check_quorum" {
  type    = bool
  default = false
}

variable "transfers" {
  type    = number
  default = 0
}

variable "servers" {
  type    = number
  default = 2
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

check {
  invariants = ["VoteForSelf"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "VoteForSelf"
}
