# ../bugs/lost-epoch.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# Note: no bounds tell versions apart: no version forces the folder of its epochs. The final
# resolution is in place, since other losses of older versions come first.

extends = "../bugs/lost-epoch.hcl"

variable "version" {
  type    = string
  default = "v3.9.5"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 19
    "v3.5.10" = 19
    "v3.6.4"  = 19
    "v3.7.2"  = 19
    "v3.8.0"  = 19
    "v3.8.6"  = 19
    "v3.9.1"  = 19
    "v3.9.2"  = 19
    "v3.9.3"  = 19
    "v3.9.5"  = 19
    "master"  = 19
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
