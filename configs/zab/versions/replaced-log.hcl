# ../bugs/replaced-log.hcl on each version of ZooKeeper: -var version=v3.9.3.

extends = "../bugs/replaced-log.hcl"

variable "version" {
  type    = string
  default = "v3.9.1"
}

# Steps of a shortest counterexample, for each version that has the bug. In 3.4.14 a leader without
# committed transactions sends SNAP to each learner that is ahead, so it takes fewer.
locals {
  steps = {
    "v3.4.14" = 24
    "v3.5.10" = 35
    "v3.6.4"  = 35
    "v3.7.2"  = 35
    "v3.8.0"  = 35
    "v3.8.6"  = 35
    "v3.9.1"  = 35
    "v3.9.2"  = 35
    "v3.9.3"  = 35
    "v3.9.5"  = 35
    "master"  = 35
  }
}

options {
  variant = var.version
  # In other versions ../bugs/memory-behind-log.hcl would come first.
  fix = contains(["v3.4.14", "v3.9.3", "v3.9.5", "master"], var.version) ? "none" : "reads-log"
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : null
  invariant = contains(keys(local.steps), var.version) ? "I-4" : null
  depth     = try(local.steps[var.version], null)
}
