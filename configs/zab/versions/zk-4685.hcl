# ../bugs/zk-4685.hcl on each version of ZooKeeper: -var version=v3.9.3.

extends = "../bugs/zk-4685.hcl"

variable "version" {
  type    = string
  default = "v3.9.1"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.5.10" = 22
    "v3.6.4"  = 22
    "v3.7.2"  = 22
    "v3.8.0"  = 22
    "v3.9.1"  = 22
  }
  holds = ["v3.4.14", "v3.8.6", "v3.9.2", "v3.9.3", "v3.9.5", "master"]
}

options {
  variant = var.version
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-12.epoch" : null
  depth     = try(local.steps[var.version], null)
}
