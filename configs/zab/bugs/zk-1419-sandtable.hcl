# ZOOKEEPER-1419 as SandTable finds it, ZooKeeper#1: its bounds (3 servers, Timeout 2, Txn 1,
# MaxEpoch 1, Crashes 1, Wire 10) and its property NoVoteCircle: no server goes back, in one round,
# to a vote that it has given up. Its trace has 41 states. With -var bug=none it holds within 1
# crash, 0 partitions.

system "zab-sandtable" {
  source = "github.com/multigrain/multigrain/zab/published/sandtable"
}

variable "bug" {
  type    = string
  default = "zk-1419"
}

variable "servers" {
  type    = number
  default = 3
}

variable "crashes" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 0
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "wire" {
  type    = number
  default = 10
}

module "election" {
  grain  = "baseline"
  target = true
}

module "discovery" {
  grain = "baseline"
}

module "faults" {
  grain = "crash-partition"
}

module "bounds" {
  grain = "zk-3.4.3"
}

bounds {
  servers      = var.servers
  epochs       = 1
  crashes      = var.crashes
  partitions   = var.partitions
  timeouts     = var.timeouts
  fle_timeouts = var.timeouts # SandTable counts these and the ends of elections together
  wire         = var.wire
}

options {
  bug = var.bug
}

check {
  invariants = ["votes.again"]
  unused     = ["PartitionRecover"] # without partitions
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "votes.again"
}
