# No earlier manifest has five servers with disks apart: a quorum that acknowledges and a quorum that
# elects share one server of five, whose log, snapshot and memory differ.
#
# All repairs of findings are in place, in master of 2026-07. So a violation would be a new one.

extends = "../fixes/repairs.hcl"

variable "servers" {
  default = 5
}

variable "crashes" {
  default = 0
}

variable "partitions" {
  default = 0
}

module "synchronization" {
  grain = "baseline"
}

module "broadcast" {
  grain = "baseline"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap",
    "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT",
  "FollowerLogsAfterGap", "LeaderIgnoresACK", "NodeStart", "PartitionRecover"]
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict = "holds"
}
