# ZOOKEEPER-2846 (open since 2017): a leader brings a learner up to date from its own log. SNAP left a
# hole in that log: it has an older write that nobody committed, then nothing of what SNAP brought,
# then a later write. The ticket sends DIFF over the hole. Here the learner's last write lies in the
# hole. So the leader takes it for one that nobody else has, and sends TRUNC for committed writes.
#
# It needs three transactions: one before the hole, one in it, one after it. The search ends where the
# leader sends TRUNC, so what the learner does with it does not matter. With "both"
# truncate-keeps-record.hcl does not come first, and with the constraint memory-behind-log.hcl does
# not. ../fixes/zk-2846.hcl has a repair.

extends = "../mspec-1-join.hcl"

variable "transactions" {
  default = 3
}

variable "crashes" {
  default = 2
}

variable "partitions" {
  default = 0
}

variable "truncation" {
  type    = string
  default = "both"
}

variable "fix" {
  type    = string
  default = "none"
}

module "faults" {
  grain = "crash-partition"
}

bounds {
  requests = var.transactions
}

options {
  disk_faults = "snapshots"
  fix         = var.fix
  disk        = "apart"
  truncation  = var.truncation
  epoch_zxids = true
}

check {
  invariants  = ["I-16"]
  except      = []
  constraints = ["memory-at-log"]
  stop        = "first"
}

# As in replaced-log.hcl.
interaction {
  level = "L0"
}

expect {
  verdict   = "violated"
  invariant = "I-16"
}
