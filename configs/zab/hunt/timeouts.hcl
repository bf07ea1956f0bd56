# No earlier manifest has the time-out of a leader that waits for ACKs of NEWLEADER with disks
# apart: the followers then have TRUNC, SNAP or DIFF that they have not acknowledged, and their
# memory, log and snapshot differ when they look for a leader.
#
# All repairs of findings are in place, in master of 2026-07. So a violation would be a new one.

extends = "../fixes/repairs.hcl"

variable "crashes" {
  default = 1
}

variable "partitions" {
  default = 0
}

variable "timeouts" {
  type    = number
  default = 1
}

locals {
  epochs = 1 + var.crashes + var.partitions + var.timeouts
}

bounds {
  timeouts = var.timeouts
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["PartitionRecover", "FollowerGivesUp", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync",
    "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync",
  "LeaderIgnoresNextACK"]
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict = "holds"
}
