# ZOOKEEPER-1419 as SandTable finds it, ZooKeeper#1: its bounds (3 servers, Timeout 2, Txn 1, MaxEpoch 1, Crashes 1, Wire 10) and its
# property NoVoteCircle: no server goes back, in one round, to a vote that it has given up. Its trace has 41 states.

extends = "../sysspec.hcl"

variable "variant" {
  type    = string
  default = "v3.4.3"
}

variable "crashes" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "wire" {
  type    = number
  default = 10
}

module "faults" {
  grain = "crash-partition"
}

module "bounds" {
  grain = "zk-3.4.3"
}

bounds {
  epochs        = 1
  fle_timeouts  = var.timeouts # SandTable counts these and the ends of elections together
  wire          = var.wire
  notifications = var.wire + 2
}

options {
  variant = var.variant
}

check {
  invariants = ["votes.again"]
  except     = []
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "votes.again"
}
