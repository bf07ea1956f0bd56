# ../bugs/truncate-keeps-record.hcl on each version of ZooKeeper: -var version=v3.9.3.

extends = "../bugs/truncate-keeps-record.hcl"

variable "version" {
  type    = string
  default = "v3.9.1"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.5.10" = 15
    "v3.6.4"  = 15
    "v3.7.2"  = 15
    "v3.8.0"  = 15
    "v3.8.6"  = 15
    "v3.9.1"  = 15
    "v3.9.2"  = 15
    "v3.9.3"  = 15
    "v3.9.5"  = 15
    "master"  = 15
  }
  holds = ["v3.4.14"]
}

options {
  variant = var.version
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-15.phantom" : null
  depth     = try(local.steps[var.version], null)
}
