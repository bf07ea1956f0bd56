# ZOOKEEPER-2832 (open) in a form that every later version has. SNAP replaces a follower's memory and
# leaves its log. The log has a write that nobody committed. When the follower loses its leader, it
# reads its log from the zxid of SNAP on, and has the write again. It leads with it. A server that
# has what was committed since, and not that write, gets DIFF and never gets it.
#
# A leader sends TRUNC to a learner that is ahead, which ZOOKEEPER-2832 had not. It does not where
# the learner's last zxid is the beginning of an epoch. So the leader's zxid of its epoch counts:
# option epoch_zxids.
#
# With "both" truncate-keeps-record.hcl does not come first, and with fix = "reads-log"
# memory-behind-log.hcl does not. Servers have neither. Nothing is truncated here. With -var
# truncation=snap it holds within 2 transactions, 2 crashes, 1 partition.

extends = "../mspec-1-join.hcl"

variable "transactions" {
  default = 2
}

variable "crashes" {
  default = 2
}

variable "partitions" {
  default = 1
}

variable "truncation" {
  type    = string
  default = "both"
}

variable "fix" {
  type    = string
  default = "reads-log"
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

# The servers begin with a transaction that their snapshots have and their logs have not.
implementation "zookeeper" {
  settings {
    prelude = "snapshot"
  }

  # The old leader starts again. It has the second write and not the first.
  schedule {
    insert = "NodeStart(I: 2)"
    before = "LeaderProcessACKLD(I: 1, J: 0)"
  }

  symptom "missing-write" {}

  # The first write is not made, so the log has nothing that comes back.
  control {
    without = "LeaderProcessRequest(I: 1)"
  }
}

check {
  invariants = ["I-4"]
  stop       = "first"
}

# As in truncate-keeps-record.hcl and zk-4837.hcl.
interaction {
  level = "L0"
}

expect {
  verdict   = "violated"
  invariant = "I-4"
}
