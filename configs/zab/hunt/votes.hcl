# No earlier manifest has Fast Leader Election vote by vote with disks apart: a server votes with what
# is in its memory, while its log or its snapshot has something else, and votes of earlier rounds are
# still in flight.
#
# All repairs of findings are in place, in master of 2026-07. So a violation would be a new one.

extends = "../fixes/repairs.hcl"

variable "servers" {
  default = 2
}

variable "crashes" {
  default = 2
}

variable "partitions" {
  default = 1
}

module "election" {
  grain = "baseline"
}

module "discovery" {
  grain = "baseline"
}

bounds {
  fle_timeouts  = 0
  notifications = 16
}

check {
  # Within these bounds none of these happens.
  unused = ["FollowerGivesUp", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync",
    "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync",
    "LeaderIgnoresNextACK", "FollowerHoldBackPROPOSAL", "FollowerProcessCOMMITInSync",
  "FollowerProcessNEWLEADERLogPackets"]
}

# No grain of Election is coarse here, so nothing is compared with another one.
interaction {
  level  = "L0"
  accept = []
  against {
    election  = null
    discovery = null
  }
}

expect {
  verdict = "holds"
}
