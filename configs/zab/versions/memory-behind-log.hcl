# ../bugs/memory-behind-log.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# Note: the bounds of v3.8.6 and of v3.9.2 and later have 2 transactions, 2 crashes and 3 epochs.

extends = "../bugs/memory-behind-log.hcl"

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
    "v3.8.6"  = 20
    "v3.9.1"  = 15
    "v3.9.2"  = 20
  }
  holds  = ["v3.4.14", "v3.9.3", "v3.9.5", "master"]
  narrow = contains(["v3.4.14", "v3.5.10", "v3.6.4", "v3.7.2", "v3.8.0", "v3.9.1"], var.version)
}

options {
  variant = var.version
}

# With pull request 2111 a follower acknowledges after UPTODATE what NEWLEADER has logged. Then the
# other servers commit the write, and the follower gets it in the next epoch: a crash more. It has to
# have a transaction, since otherwise it gets SNAP.
bounds {
  crashes      = local.narrow ? 1 : 2
  epochs       = local.narrow ? 2 : 3
  transactions = local.narrow ? 1 : 2
  requests     = local.narrow ? 1 : 2
}

implementation "zookeeper" {
  control {
    insert = local.narrow ? "FollowerProcessUPTODATE(I: 2, J: 1)" : "FollowerProcessUPTODATE(I: 0, J: 1)"
    before = "NodeCrash(I: 1, Tmp: false)"
  }
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-8" : null
  depth     = try(local.steps[var.version], null)
}
