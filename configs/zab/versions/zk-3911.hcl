# ../bugs/zk-3911.hcl on each version of ZooKeeper: -var version=v3.4.14.

extends = "../bugs/zk-3911.hcl"

variable "version" {
  type    = string
  default = "v3.4.14"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 20
  }
  holds = ["v3.5.10", "v3.6.4", "v3.7.2", "v3.8.0", "v3.8.6", "v3.9.1", "v3.9.2", "v3.9.3", "v3.9.5", "master"]
}

options {
  bug     = "none"
  variant = var.version
}

# The lock file has the comparisons of coarse grains for one version only.
interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-8" : null
  depth     = try(local.steps[var.version], null)
}
