# ../bugs/unforced-tail.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# Note: no bounds tell versions apart: no start forces the log that it reads. The final resolution is
# in place, since other losses of older versions come first.

extends = "../bugs/unforced-tail.hcl"

variable "version" {
  type    = string
  default = "v3.9.5"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 28
    "v3.5.10" = 28
    "v3.6.4"  = 28
    "v3.7.2"  = 28
    "v3.8.0"  = 28
    "v3.8.6"  = 28
    "v3.9.1"  = 28
    "v3.9.2"  = 28
    "v3.9.3"  = 28
    "v3.9.5"  = 28
    "master"  = 28
  }
  holds = []
}

options {
  variant = var.version
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-8" : null
  depth     = try(local.steps[var.version], null)
}
