# ../bugs/zk-4646.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# Note: in v3.4.14 the counterexample is that of zk-3911.hcl: NEWLEADER is acknowledged before the
# log has what came with it.

extends = "../bugs/zk-4646.hcl"

variable "version" {
  type    = string
  default = "v3.9.1"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 23
    "v3.5.10" = 26
    "v3.6.4"  = 26
    "v3.7.2"  = 26
    "v3.8.0"  = 26
    "v3.9.1"  = 26
  }
  holds = ["v3.8.6", "v3.9.2", "v3.9.3", "v3.9.5", "master"]
}

options {
  fix     = "zk-4712"
  variant = var.version
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-8" : null
  depth     = try(local.steps[var.version], null)
}
