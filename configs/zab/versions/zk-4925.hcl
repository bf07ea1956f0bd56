# ../bugs/zk-4925.hcl on each version of ZooKeeper: -var version=v3.9.3.

extends = "../bugs/zk-4925.hcl"

variable "version" {
  type    = string
  default = "v3.9.3"
}

# Steps of a shortest counterexample, for each version that has the bug.
locals {
  steps = {
  }
}

options {
  fix     = "none"
  variant = var.version
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : "holds"
  invariant = contains(keys(local.steps), var.version) ? "I-9" : null
  depth     = try(local.steps[var.version], null)
}
