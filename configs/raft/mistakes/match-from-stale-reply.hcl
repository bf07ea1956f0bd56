# RaftOS#1: a late acknowledgement lowers matchIndex.

extends = "../replication.hcl"

module "election" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

variable "mistake" {
  type    = string
  default = "match-from-stale-reply"
}

variable "network" {
  type    = string
  default = "udp"
}

variable "terms" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 1
}

variable "heartbeats" {
  type    = number
  default = 1
}

check {
  invariants = ["MonotonicMatch"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "MonotonicMatch"
}
