# Pull request 2459 as a repair of ../bugs/zk-5094.hcl, in master: a follower that loses its leader
# between TRUNC and NEWLEADER clears its database, as after SNAP, and reads its disk again. The
# pull request was read by its description.
#
# With -var fix=none the same bounds are violated.

extends = "../bugs/zk-5094.hcl"

variable "fix" {
  type    = string
  default = "pr-2459"
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
