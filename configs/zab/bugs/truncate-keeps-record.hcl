# TRUNC names a transaction that the follower's log does not have: it came by a snapshot, or it is
# none. FileTxnLog.truncate stops at the first later record and truncates after that, so a write that
# no quorum has survives. The follower then serves it. In every version up to master. No ticket is
# known.
#
# With -var truncation=log it holds within 1 transaction, 1 crash, 0 partitions.

extends = "../mspec-1-join.hcl"

variable "truncation" {
  type    = string
  default = "code"
}

variable "transactions" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 0
}

module "faults" {
  grain = "crash-partition"
}

bounds {
  requests = var.transactions
}

options {
  disk_faults = "snapshots"
  disk        = "apart"
  truncation  = var.truncation
}

# The servers begin with a transaction that their snapshots have and their logs have not.
implementation "zookeeper" {
  # Without the option disk = "apart" the reason is another one.
  difference "committed-log-begins-late" {
    deviation = "disk_committed.go: the log is one file of any size"
  }

  settings {
    prelude = "snapshot"
  }

  symptom "diverged-logs" {}

  # The follower logs the write before the leader crashes, so nothing is truncated.
  control {
    insert = ["FollowerProcessUPTODATE(I: 0, J: 1)", "FollowerProcessPROPOSAL(I: 0, J: 1)"]
    before = "NodeCrash(I: 1, Tmp: false)"
  }
}

check {
  invariants = ["I-15"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-15.phantom"
}
