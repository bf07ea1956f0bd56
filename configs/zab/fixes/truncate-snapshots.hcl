# A repair of ../bugs/zk-4837.hcl: TRUNC also removes the snapshots that are newer than its zxid. In
# master, with a crash more than that manifest has. In 3.9.1 these bounds find
# ../bugs/memory-behind-log.hcl as well, by I-15.disk.
#
# With -var truncation=log the same bounds are violated.

extends = "../bugs/zk-4837.hcl"

variable "truncation" {
  default = "both"
}

variable "crashes" {
  default = 2
}

options {
  variant = "master"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap",
    "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT",
  "FollowerLogsAfterGap", "LeaderIgnoresACK"]
}

expect {
  verdict = "holds"
}
