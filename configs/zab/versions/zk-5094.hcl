# ../bugs/zk-5094.hcl on each version of ZooKeeper: -var version=v3.9.3.

extends = "../bugs/zk-5094.hcl"

variable "version" {
  type    = string
  default = "v3.9.5"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 44
    "v3.5.10" = 37
    "v3.6.4"  = 37
    "v3.7.2"  = 37
    "v3.8.0"  = 37
    "v3.8.6"  = 37
    "v3.9.1"  = 37
    "v3.9.2"  = 37
    "v3.9.3"  = 37
    "v3.9.5"  = 37
    "master"  = 37
  }
  holds = []
}

options {
  fix     = "none"
  variant = var.version
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-15.disk" : null
  depth     = try(local.steps[var.version], null)
}
