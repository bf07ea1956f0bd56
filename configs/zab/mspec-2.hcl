# mSpec-2 of Remix, table 1: Election and Discovery coarse, Synchronization fine on atomicity, Broadcast baseline. The defaults are
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
  grain  = "fine-atomic"
  target = true
}

module "broadcast" {
  grain  = "baseline"
  target = true
}

module "faults" {
  grain = "crash-partition"
}

locals {
  epochs = 1 + var.crashes + var.partitions # every election but the first follows a fault
}

# As in the paper, transactions are counted in the longest history; requests and epochs do not bind.
bounds {
  servers      = var.servers
  transactions = var.transactions
  requests     = var.transactions * local.epochs
  crashes      = var.crashes
  partitions   = var.partitions
  epochs       = local.epochs
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
  invariant = "I-8" # ZOOKEEPER-4643
}
