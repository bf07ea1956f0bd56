# ../bugs/rolled-log.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# Note: no bounds tell versions apart: each begins a new file without forcing the old one. The final
# resolution is in place, since other losses of older versions come first.

extends = "../bugs/rolled-log.hcl"

variable "version" {
  type    = string
  default = "v3.9.5"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 25
    "v3.5.10" = 25
    "v3.6.4"  = 25
    "v3.7.2"  = 25
    "v3.8.0"  = 25
    "v3.8.6"  = 25
    "v3.9.1"  = 25
    "v3.9.2"  = 25
    "v3.9.3"  = 25
    "v3.9.5"  = 25
    "master"  = 25
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
