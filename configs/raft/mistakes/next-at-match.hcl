# PySyncObj#3: a rejection moves nextIndex to or below matchIndex.

extends = "../replication.hcl"

module "election" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

variable "mistake" {
  type    = string
  default = "next-at-match"
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
  default = 0
}

variable "heartbeats" {
  type    = number
  default = 1
}

check {
  invariants = ["NextAboveMatch"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "NextAboveMatch"
}
