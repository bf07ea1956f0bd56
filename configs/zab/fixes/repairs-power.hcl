# All repairs together, also those for losses of power, in master of 2026-07: repairs.hcl,
# forces-snapshots.hcl, forces-start.hcl, forces-old-file.hcl, and names and ends of files are forced.
# Servers join late, take snapshots, crash within a flush, and lose power in each way that package zab
# has. All invariants hold, and nothing is masked.
#
# With -var forces=code or -var fix=none the same bounds are violated.

extends = "repairs.hcl"

variable "forces" {
  type    = string
  default = "all"
}

variable "crashes" {
  default = 1
}

variable "partitions" {
  default = 0
}

variable "losses" {
  type    = number
  default = 1
}

variable "snapshots" {
  type    = number
  default = 0
}

variable "timeouts" {
  type    = number
  default = 0
}

module "faults" {
  grain = "power-all"
}

locals {
  epochs = 1 + var.crashes + var.partitions + var.losses + var.timeouts
}

bounds {
  losses    = var.losses
  snapshots = var.snapshots
  timeouts  = var.timeouts
}

options {
  forces = var.forces
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync",
    "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync",
    "LeaderIgnoresNextACK", "PartitionRecover", "NodeLosesRolledLog", "NodeLosesEpochs",
  "NodeLosesTruncation"]
}

expect {
  verdict = "holds"
}
