# A repair of ../bugs/unforced-tail.hcl: a start forces the log that it reads, before it votes. In
# master. Servers join late, so the repairs of repairs.hcl are in place: without them ../bugs/truncated-ack.hcl
# comes first.
#
# With -var forces=code the same bounds are violated.

extends = "../bugs/unforced-tail.hcl"

variable "fix" {
  default = "repairs"
}

variable "forces" {
  default = "start"
}

module "election" {
  grain = "coarse-join"
}

options {
  variant = "master"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerProcessNEWLEADERLogPackets", "FollowerGivesUp", "LeaderIgnoresFirstACK",
    "FollowerIgnoresSync", "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT",
    "FollowerExitsAtUPTODATEAsync", "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync",
  "FollowerLogsAfterGapAsync", "LeaderIgnoresNextACK", "PartitionRecover"]
}

expect {
  verdict = "holds"
}
