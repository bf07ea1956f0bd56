# ../bugs/unforced-snapshot.hcl on each version of ZooKeeper: -var version=v3.9.3.

extends = "../bugs/unforced-snapshot.hcl"

variable "version" {
  type    = string
  default = "v3.9.5"
}

# With two transactions TRUNC is to a zxid that is in the log of the follower: that of the prelude.
variable "transactions" {
  default = 2
}

# Steps of a shortest counterexample, for the versions that were checked.
locals {
  steps = {
    "v3.4.14" = 39
    "v3.5.10" = 32
    "v3.6.4"  = 32
    "v3.7.2"  = 32
    "v3.8.0"  = 32
    "v3.8.6"  = 32
    "v3.9.1"  = 32
    "v3.9.2"  = 32
    "v3.9.3"  = 32
    "v3.9.5"  = 32
    "master"  = 32
  }
}

options {
  fix     = "none"
  variant = var.version
}

# What a follower does at NEWLEADER after its snapshot, when its leader commits after NEWLEADER.
locals {
  in_sync = {
    "v3.8.6" = ["LogPackets", "UpdateEpoch", "ReplyAck"]
    "v3.9.2" = ["LogPackets", "UpdateEpoch", "ReplyAck"]
    "v3.9.3" = ["UpdateEpoch", "ReplyAck"]
    "v3.9.5" = ["UpdateEpoch", "ReplyAck"]
    "master" = ["UpdateEpoch", "ReplyAck"]
  }
  then = try(local.in_sync[var.version], ["UpdateEpoch", "LogPackets", "ReplyAck"])
}

implementation "zookeeper" {
  symptom "lost-with-power" {}

  # The leader commits after NEWLEADER, so the follower logs the transaction, and forces the log.
  control {
    without = "LeaderProcessNextACK(I: 0, J: 2)"
    insert = concat([for step in local.then : "FollowerProcessNEWLEADER${step}(I: 1, J: 0)"],
      contains(keys(local.in_sync), var.version) ? [] : ["FollowerSyncProcessorLogRequest(I: 1, J: 0)"],
      [
        "LeaderProcessNextACK(I: 0, J: 2)",
        "LeaderProcessFirstACK(I: 0, J: 1)",
        "FollowerProcessCOMMITInSync(I: 1, J: 0)",
        "FollowerProcessUPTODATEAsync(I: 1, J: 0)",
    ])
    before = "FollowerProcessNEWLEADERUpdateEpoch(I: 1, J: 0)"
  }
}

expect {
  verdict   = contains(keys(local.steps), var.version) ? "violated" : null
  invariant = contains(keys(local.steps), var.version) ? "I-15.power" : null
  depth     = try(local.steps[var.version], null)
}
