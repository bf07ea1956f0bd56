# PySyncObj#4, CCF: a rejection changes matchIndex.

extends = "../replication.hcl"

module "election" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

variable "mistake" {
  type    = string
  default = "match-from-rejection"
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "network" {
  type    = string
  default = "udp"
}

variable "requests" {
  type    = number
  default = 0
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
