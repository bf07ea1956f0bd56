# ../bugs/zk-3023.hcl on each version of ZooKeeper: -var version=v3.9.3.

extends = "../bugs/zk-3023.hcl"

variable "version" {
  type    = string
  default = "v3.9.1"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 23
    "v3.5.10" = 24
    "v3.6.4"  = 24
    "v3.7.2"  = 24
    "v3.8.0"  = 24
    "v3.8.6"  = 24
    "v3.9.1"  = 24
    "v3.9.2"  = 24
  }
  holds = ["v3.9.3", "v3.9.5", "master"]
}

options {
  variant = var.version
}

# From pull request 2111 on NEWLEADER logs in its own thread, so the follower has only to apply.
implementation "zookeeper" {
  control {
    insert = contains(["v3.8.6", "v3.9.2"], var.version) ? ["FollowerCommitProcessorCommit(I: 0)"] : ["FollowerSyncProcessorLogRequest(I: 0, J: 2)", "FollowerCommitProcessorCommit(I: 0)"]
    before = "LeaderProcessNextACK(I: 2, J: 0)"
  }
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-11.uptodate" : null
  depth     = try(local.steps[var.version], null)
}
