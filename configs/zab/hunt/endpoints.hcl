# No earlier manifest has disks apart where each end of a connection notices by itself that it has
# ended: a leader goes on counting and a follower goes on logging after the other end has gone, and
# then both look at what their disks have.
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
  default = 0
}

module "faults" {
  grain = "endpoints"
}

locals {
  epochs = 1 + var.crashes + var.partitions + var.timeouts
}

bounds {
  timeouts = var.timeouts
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["LinkCut", "PartitionRecover", "FollowerTimesOut", "LeaderDropsLearner", "FollowerGivesUp",
    "LeaderIgnoresFirstACK", "FollowerIgnoresSync", "FollowerHoldsBackAfterGapAsync",
    "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync", "LeftSyncProcessorLogRequest",
  "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync", "LeaderIgnoresNextACK"]
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict = "holds"
}
