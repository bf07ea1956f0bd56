# A repair of ../bugs/unforced-snapshot.hcl: a follower forces each snapshot that it writes before it
# acknowledges NEWLEADER, as it does after SNAP. In master, without changes of NEWLEADER.
#
# With -var forces=code the same bounds are violated.

extends = "../bugs/unforced-snapshot.hcl"

variable "fix" {
  type    = string
  default = "pr-2459"
}

variable "forces" {
  default = "snapshots"
}

options {
  variant = "master"
  fix     = var.fix
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["LeftSyncProcessorLogRequest", "FollowerGivesUp", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync",
    "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync", "LeaderIgnoresNextACK",
  "NodeStart"]
}

expect {
  verdict = "holds"
}
