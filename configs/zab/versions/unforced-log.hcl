# ../bugs/unforced-log.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# Note: with forceSync=no, which the manual calls unsafe. It is a setting, and no bug of a version.

extends = "../bugs/unforced-log.hcl"

variable "version" {
  type    = string
  default = "v3.9.5"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 13
    "v3.5.10" = 13
    "v3.6.4"  = 13
    "v3.7.2"  = 13
    "v3.8.0"  = 13
    "v3.8.6"  = 13
    "v3.9.1"  = 13
    "v3.9.2"  = 13
    "v3.9.3"  = 13
    "v3.9.5"  = 13
    "master"  = 13
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
