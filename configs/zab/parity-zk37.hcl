# The published system specification (ZkV3_7_0 with FastLeaderElection): as many states, as deep, with the same verdict, for any
# values of the variables. All modules are at their baseline grains; limits of time-outs and of epochs, and that a server waits for
# notifications that are on their way, are rules of the module bounds.

system "zab-published" {
  source = "github.com/multigrain/multigrain/zab/published"
}

variable "servers" {
  type    = number
  default = 2
}

variable "transactions" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "crashes" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 0
}

variable "epochs" {
  type    = number
  default = 2
}

variable "fle_timeouts" {
  type    = number
  default = 3
}

module "election" {
  grain = "baseline"
}

module "discovery" {
  grain = "baseline"
}

module "synchronization" {
  grain  = "baseline"
  target = true
}

module "broadcast" {
  grain = "baseline"
}

module "faults" {
  grain = "crash-partition"
}

module "bounds" {
  grain = "zk-3.7"
}

bounds {
  servers       = var.servers
  transactions  = var.transactions
  crashes       = var.crashes
  partitions    = var.partitions
  timeouts      = var.timeouts
  epochs        = var.epochs
  fle_timeouts  = var.fle_timeouts
  notifications = (var.servers - 1) * (var.fle_timeouts + var.timeouts + 2) # not binding
}

check {
  unused = ["FollowerProcessPROPOSALInSync", "FollowerProcessCOMMITInSync", "PartitionRecover", "FilterNonexistentMessage"] # with the default bounds
  invariants = [
    "leadership", "prefixConsistency", "integrity", "agreement", "totalOrder", "primaryOrder", "primaryIntegrity",
    "messageLegal", "snapshotOrder", "phase", "I-11", "I-12", "I-13", "I-14",
  ]
  stop = "first"
}
