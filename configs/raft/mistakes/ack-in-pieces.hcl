# braft#119: a follower writes the entries of an append one by one, acknowledges all of them when the first is on disk, and a crash forgets
# the others. The leader has counted them, so the next leader lacks a committed entry.

extends = "../storage.hcl"

variable "mistake" {
  type    = string
  default = "ack-in-pieces"
}

variable "batch" {
  type    = number
  default = 2
}

variable "inflight" {
  type    = number
  default = 1
}

variable "requests" {
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

variable "restarts" {
  type    = number
  default = 1
}

check {
  slice      = true
  invariants = ["CommittedOnMajority", "LeaderCompleteness"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "CommittedOnMajority"
}
