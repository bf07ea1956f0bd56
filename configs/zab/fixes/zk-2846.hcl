# The repair of ../bugs/zk-2846.hcl is that of ../bugs/replaced-log.hcl: what a follower writes after
# SNAP is all that it has on disk, so its log has no hole, and a leader never sends TRUNC. The other
# repairs are in place, in master of 2026-07. Three transactions, as many as the bug needs, and faults
# of the bug.

extends = "../bugs/zk-2846.hcl"

variable "truncation" {
  default = "snap"
}

variable "fix" {
  default = "repairs"
}

options {
  variant = "master"
}

check {
  invariants  = ["*"]
  except      = []
  constraints = []
  stop        = "first"
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["PartitionRecover", "FollowerGivesUp", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap", "FollowerIgnoresCOMMIT",
  "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT", "FollowerLogsAfterGap", "LeaderIgnoresACK"]
}

expect {
  verdict = "holds"
}
