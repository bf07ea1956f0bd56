# RaftOS#2: a follower erases entries that it has acknowledged.

extends = "../replication.hcl"

module "election" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

variable "mistake" {
  type    = string
  default = "erase-matching"
}

variable "network" {
  type    = string
  default = "udp"
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 1
}

variable "duplicates" {
  type    = number
  default = 1
}

variable "restarts" {
  type    = number
  default = 0
}

check {
  invariants = ["CommittedOnMajority"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "CommittedOnMajority"
}
