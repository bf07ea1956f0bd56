# ../bugs/lost-truncation.hcl on each version of ZooKeeper: -var version=v3.9.3.
#
# The invariant is another one: the follower and its leader apply different sequences. In the
# shortest violation of that the leader has applied a write before the follower joins again. The
# shortest one of ../bugs/lost-truncation.hcl needs a leader that has applied nothing, and servers
# begin with a transaction that the specification does not have.
#
# What TRUNC removes is the only record of a later file of the log here. TRUNC deletes that file.
#
# With -var forces=all, and with -var faults=power alone, it holds within 2 transactions, 1 crash, 0
# partitions.
#
# Note: no bounds tell versions apart: no TRUNC forces anything. Names of epochs are forced, and the
# final resolution is in place, since other losses come first.

extends = "../bugs/lost-truncation.hcl"

variable "version" {
  type    = string
  default = "v3.9.5"
}

# Steps of a shortest counterexample, for each version that has the bug, and the versions without it.
# Of others nothing is known.
locals {
  steps = {
    "v3.4.14" = 29
    "v3.5.10" = 31
    "v3.6.4"  = 31
    "v3.7.2"  = 31
    "v3.8.0"  = 31
    "v3.8.6"  = 31
    "v3.9.1"  = 31
    "v3.9.2"  = 31
    "v3.9.3"  = 31
    "v3.9.5"  = 31
    "master"  = 31
  }
  holds = []
}

options {
  variant = var.version
}

implementation "zookeeper" {
  # Without the option disk = "apart" the reason is another one.
  difference "committed-log-begins-late" {
    deviation = "disk_committed.go: the log is one file of any size"
  }

  symptom "diverged-logs" {}

  # The file system keeps what TRUNC did.
  control {
    without = "NodeLosesTruncation(I: 1)"
    insert  = "NodeLosesPower(I: 1)"
    before  = "NodeStart(I: 1)"
  }
}

check {
  invariants = ["I-4"]
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : contains(local.holds, var.version) ? "holds" : null
  invariant = contains(keys(local.steps), var.version) ? "I-4" : null
  depth     = try(local.steps[var.version], null)
}
