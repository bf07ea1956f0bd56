# ../bugs/truncated-ack.hcl on each version of ZooKeeper, with -var version=.

extends = "../bugs/truncated-ack.hcl"

variable "version" {
  type    = string
  default = "v3.9.1"
}

# The steps of a shortest counterexample, for each version that has the bug.
locals {
  steps = {
    "v3.9.1" = 21
  }
}

options {
  variant = var.version
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : "holds"
  invariant = contains(keys(local.steps), var.version) ? "I-8" : null
  depth     = try(local.steps[var.version], null)
}
