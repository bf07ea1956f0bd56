# ../bugs/zk-4925.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# Note: in v3.4.14 a leader sends SNAP and then forwards only what follows the learner's zxid, so the
# learner lacks a transaction that the snapshot lacks (ZOOKEEPER-3140).
#
# Note: in v3.5.10 DIFF leaves out what lies between log and committedLog (ZOOKEEPER-2418), and from
# v3.6.4 to v3.9.2 the memory of the leader lags its log (memory-behind-log.hcl). Neither is
# ZOOKEEPER-4925, which is in v3.9.3 only.

extends = "../bugs/zk-4925.hcl"

variable "version" {
  type    = string
  default = "v3.9.3"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 37
    "v3.5.10" = 27
    "v3.6.4"  = 28
    "v3.7.2"  = 28
    "v3.8.0"  = 28
    "v3.8.6"  = 28
    "v3.9.1"  = 28
    "v3.9.2"  = 28
    "v3.9.3"  = 29
  }
  holds = ["v3.9.5", "master"]
}

options {
  fix     = "none"
  variant = var.version
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-9" : null
  depth     = try(local.steps[var.version], null)
}
