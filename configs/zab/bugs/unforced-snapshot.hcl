# A follower truncates its log, applies what is committed before NEWLEADER in memory only, and writes
# a snapshot. It acknowledges NEWLEADER. Learner.syncWithLeader forces the snapshot of SNAP to disk,
# and not that of TRUNC. So a loss of power takes a transaction that the leader counts the follower
# for, and that the follower serves. In every version from 3.5 to master. No ticket is known; the
# review of pull request 333 (ZOOKEEPER-2872) notes that TRUNC differs.
#
# With -var forces=all it holds within 1 transaction, 0 crashes, 1 partition: every snapshot is
# forced. ../versions/unforced-snapshot.hcl declares what servers show of it.

extends = "../mspec-1-join.hcl"

# With a first transaction in the log, "log" is what servers do.
variable "truncation" {
  type    = string
  default = "both"
}

variable "transactions" {
  type    = number
  default = 1
}

variable "crashes" {
  type    = number
  default = 0
}

variable "partitions" {
  type    = number
  default = 1
}

variable "forces" {
  type    = string
  default = "code"
}

module "synchronization" {
  grain = "leader-threads"
}

module "broadcast" {
  grain = "follower-threads"
}

module "faults" {
  grain = "crash-partition"
}

bounds {
  requests = var.transactions
  epochs   = 2
}

options {
  disk_faults = "power"
  fix         = "final"
  disk        = "apart"
  truncation  = var.truncation
  forces      = var.forces
}

check {
  invariants = ["I-15.power"]
  except     = ["I-11.epoch"]
  stop       = "first"
  unused     = ["LeftSyncProcessorLogRequest"] # no shutdown leaves a SyncRequestProcessor behind
}

expect {
  verdict   = "violated"
  invariant = "I-15.power"
}
