# ../bugs/zk-2846.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# Note: 3.4.14 does not read its log for a learner. Its steps are of zk-3911: a follower acknowledges
# NEWLEADER before it has logged what the leader sent, so the next leader lacks a delivered write.

extends = "../bugs/zk-2846.hcl"

variable "version" {
  type    = string
  default = "v3.9.5"
}

# With four transactions SNAP can bring two.
variable "transactions" {
  default = 4
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 23
    "v3.5.10" = 28
    "v3.6.4"  = 28
    "v3.7.2"  = 28
    "v3.8.0"  = 28
    "v3.8.6"  = 28
    "v3.9.1"  = 28
    "v3.9.2"  = 28
    "v3.9.3"  = 28
    "v3.9.5"  = 28
    "master"  = 28
  }
  holds = []
}

options {
  variant = var.version
  # In 3.9.3 ../bugs/zk-4925.hcl would come first.
  fix = var.version == "v3.9.3" ? "pr-2254" : var.fix
}

# From 3.9.3 on the counterexample has the next write proposed before the first of them is committed.
locals {
  proposed = contains(["v3.9.3", "v3.9.5", "master"], var.version)
}

# The servers begin with a transaction that their snapshots have and their logs have not. A leader
# reads its log for a learner whatever the size of the log is. No server takes a snapshot after its
# first transactions: TRUNC would leave it and load it again, as in zk-4837.hcl.
implementation "zookeeper" {
  settings {
    prelude              = "snapshot"
    snapshot_size_factor = "0"
    snap_count           = "1000"
  }

  # SNAP brings two committed writes. TRUNC keeps the first later record of the learner, which is the
  # first of them: see truncate-keeps-record.hcl.
  schedule {
    insert = concat(["LeaderProcessRequest(I: 0)"], local.proposed ? [] : ["FollowerProcessCOMMIT(I: 2, J: 0)"],
    ["FollowerProcessPROPOSAL(I: 2, J: 0)", "LeaderProcessACK(I: 0, J: 2)"])
    before = "LeaderSyncFollower(I: 0, J: 1)"
  }

  # From 3.9.4 on the learner refuses what comes over the gap, and never catches up.
  symptom "missing-write" {
    versions = ["3.5.10", "3.6.4", "3.7.2", "3.8.0", "3.8.6", "3.9.1", "3.9.2", "3.9.3"]
  }

  symptom "log-line" {
    versions = ["3.9.5"]
    text     = "Committed proposal cached out of order"
  }

  # The first write is not made, so the log has no record before the hole.
  control {
    without = "LeaderProcessRequest(I: 1)"
  }
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-16" : null
  depth     = try(local.steps[var.version], null)
}
