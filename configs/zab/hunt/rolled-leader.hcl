# No earlier manifest has a loss of power between two files of a leader's own log. The leader starts
# with a hole, and the zxid of its last transaction is that of the others. So it can lead again,
# with an empty DIFF for them, and lacks a write that was acknowledged to a client. It is the second
# form of ../bugs/rolled-log.hcl, and has the same repair: with -var forces=old-file it holds within
# 2 transactions, 0 crashes, 0 partitions.

extends = "../mspec-1.hcl"

variable "forces" {
  type    = string
  default = "code"
}

variable "crashes" {
  default = 0
}

variable "partitions" {
  default = 0
}

variable "losses" {
  type    = number
  default = 1
}

module "synchronization" {
  grain = "follower-threads"
}

module "broadcast" {
  grain = "leader-threads"
}

module "faults" {
  grain = "crash-partition"
}

locals {
  epochs = 1 + var.losses
}

bounds {
  requests = var.transactions
  losses   = var.losses
}

# Other losses of the version do not come first with the final resolution.
options {
  leader_threads = "log"
  disk_faults    = "rolled"
  fix            = "final"
  disk           = "apart"
  truncation     = "both"
  exceptions     = "continue"
  forces         = var.forces
}

implementation "zookeeper" {
  # Without the option disk = "apart" the reason is another one.
  difference "committed-log-begins-late" {
    deviation = "disk_committed.go: the log is one file of any size"
  }

  symptom "missing-write" {}

  # The leader keeps its power.
  control {
    without = "NodeLosesRolledLog(I: 2)"
  }
}

check {
  invariants = ["I-8"]
  except     = ["I-11.epoch"]
  stop       = "first"
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
