# A repair of ../bugs/rolled-log.hcl: a server that begins a new file of its log first forces the old
# one. In master, without changes of NEWLEADER. A loss of power during the flush then leaves both
# transactions, or the first one. Servers join late.
#
# With -var forces=code the same bounds are violated.

extends = "../bugs/rolled-log.hcl"

variable "fix" {
  default = "none"
}

variable "forces" {
  default = "old-file"
}

module "election" {
  grain = "coarse-join"
}

options {
  variant = "master"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync",
    "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync",
  "LeaderIgnoresNextACK", "PartitionRecover"]
}

expect {
  verdict = "holds"
}
