# ../bugs/zk-4394.hcl on each version of ZooKeeper: -var version=v3.9.3.

extends = "../bugs/zk-4394.hcl"

variable "version" {
  type    = string
  default = "v3.9.1"
}

# No server crashes in the counterexample.
variable "crashes" {
  type    = number
  default = 0
}

variable "partitions" {
  type    = number
  default = 0
}

bounds {
  requests = 2
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.5.10" = 14
    "v3.6.4"  = 14
    "v3.7.2"  = 14
    "v3.8.0"  = 14
    "v3.8.6"  = 14
    "v3.9.1"  = 14
    "v3.9.2"  = 14
  }
  holds = ["v3.4.14", "v3.9.3", "v3.9.5", "master"]
}

options {
  variant = var.version
}

# From pull request 2111 on a follower acknowledges after UPTODATE what NEWLEADER has logged.
implementation "zookeeper" {
  control {
    without = "LeaderProcessACK(I: 2, J: 0)"
    insert = contains(["v3.8.6", "v3.9.2"], var.version) ? [
      "LeaderProcessACKLD(I: 2, J: 1)", "FollowerProcessUPTODATE(I: 1, J: 2)", "LeaderProcessACK(I: 2, J: 1)"
      ] : [
      "LeaderProcessACKLD(I: 2, J: 1)", "LeaderProcessACK(I: 2, J: 1)", "FollowerProcessUPTODATE(I: 1, J: 2)"
    ]
    before = "FollowerProcessCOMMITInSync(I: 1, J: 2)"
  }
}

# The lock file has the comparisons of coarse grains for one version only.
interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-14.npe" : null
  depth     = try(local.steps[var.version], null)
}
