# ../bugs/zk-2846-diff.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# Note: the steps of 3.4.14 are of zk-3911: a follower acknowledges NEWLEADER before it has logged what
# the leader sent, crashes, and leads without a delivered write. In 3.9.3 the control shows the symptom,
# too: DIFF leaves a hole in committedLog (ZOOKEEPER-4925), and the later leader sends over that.

extends = "../bugs/zk-2846-diff.hcl"

variable "version" {
  type    = string
  default = "v3.9.1"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 31
    "v3.5.10" = 25
    "v3.6.4"  = 25
    "v3.7.2"  = 25
    "v3.8.0"  = 25
    "v3.8.6"  = 25
    "v3.9.1"  = 25
    "v3.9.2"  = 25
    "v3.9.3"  = 25
    "v3.9.5"  = 25
    "master"  = 25
  }
  holds = []
  # Before 3.9.3 the leader has one acknowledgement more to count before the next write.
  counts = contains(["v3.9.3", "v3.9.5", "master"], var.version) ? [] : ["CountACK(I: 1, J: 0)"]
}

# The servers begin with a transaction that their snapshots have and their logs have not. A leader
# reads its log for a learner whatever its size is. In the step of the earlier leader its setting is
# -1, with which it does not read its log. A snapshot is due after two transactions.
implementation "zookeeper" {
  settings {
    prelude              = "snapshot"
    snapshot_size_factor = "0"
  }

  symptom "missing-write" {}

  # The earlier leader reads its log for the follower, which then has no hole in its own.
  control {
    without = "LeaderFindsLogLarge(I: 1, J: 0)"
    insert = concat(["LeaderSyncFollower(I: 1, J: 0)", "FollowerProcessSyncMessage(I: 0, J: 1)",
      "FollowerProcessPROPOSALInSync(I: 0, J: 1)", "FollowerProcessCOMMITInSync(I: 0, J: 1)",
      "FollowerProcessNEWLEADER(I: 0, J: 1)", "LeaderProcessACKLD(I: 1, J: 0)",
    "FollowerProcessUPTODATE(I: 0, J: 1)"], local.counts)
    before = "Replicate(I: 1, S: {0, 1})"
  }
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-17" : null
  depth     = try(local.steps[var.version], null)
}
