# No earlier manifest has losses of power with servers that join late, newer snapshots and a leader's
# own threads: here a server can lose what it has not forced and join an epoch that is in progress.
#
# All repairs of findings are in place, in master of 2026-07, and every snapshot and the log that a
# start reads are forced. So a violation would be a new one.

extends = "../fixes/repairs-power.hcl"

variable "crashes" {
  default = 0
}

variable "partitions" {
  default = 1
}

variable "snapshots" {
  default = 1
}

module "faults" {
  grain = "crash-partition"
}

options {
  disk_faults = "flush"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
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
