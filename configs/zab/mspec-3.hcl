# mSpec-3 of Remix, table 1: Election and Discovery coarse, Synchronization and Broadcast with a follower's threads. The defaults are
# the bounds of its table 5. Known and masked, so that the search goes on past them: ZOOKEEPER-4394 (bugs/zk-4394.hcl), and
# ZOOKEEPER-2354, a server that crashes between a snapshot and the epoch and does not start again, which Remix does not model.

system "zab" {
  source = "github.com/multigrain/multigrain/zab"
}

variable "servers" {
  type    = number
  default = 3
}

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 2
}

variable "partitions" {
  type    = number
  default = 2
}

module "election" {
  grain = "coarse" # covers discovery too
}

module "synchronization" {
  grain  = "fine-concurrent"
  target = true
}

module "broadcast" {
  grain  = "fine-concurrent"
  target = true
}

module "faults" {
  grain = "crash-partition"
}

# Requests bind, not only the longest history: a follower's may hold what its leader's does not (ZOOKEEPER-4712).
bounds {
  servers      = var.servers
  transactions = var.transactions
  requests     = var.transactions
  crashes      = var.crashes
  partitions   = var.partitions
  epochs       = 1 + var.crashes + var.partitions # every election but the first follows a fault
}

options {
  variant = "v3.9.1"
  model   = "code"
  snap    = true
}

check {
  invariants = ["*"]
  except     = ["I-14.npe", "I-11.epoch"]
}

expect {
  verdict   = "violated"
  invariant = "I-10" # ZOOKEEPER-4712
}
