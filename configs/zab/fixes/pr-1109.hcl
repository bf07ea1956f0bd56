# Pull request 1109 as a repair of ../bugs/zk-2354.hcl, in master: a follower that processes
# NEWLEADER first creates the file updatingEpoch, and removes it after it has accepted the epoch. A
# start that finds the file takes the epoch of its last transaction. That is right: a log with a
# transaction of an epoch has all with which the epoch began. All invariants hold, and nothing is
# masked. Servers join late, and SNAP is allowed.
#
# With -var fix=none the same bounds violate I-11.epoch.

extends = "../mspec-1-join.hcl"

variable "fix" {
  type    = string
  default = "pr-1109"
}

variable "transactions" {
  default = 2
}

module "synchronization" {
  grain = "fine-atomic"
}

options {
  variant = "master"
  fix     = var.fix
}

check {
  invariants = ["*"]
  except     = []
  stop       = "first"
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerExitsAtTRUNC", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGap", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE",
  "FollowerExitsAtCOMMIT", "FollowerLogsAfterGap", "LeaderIgnoresACK"]
}

expect {
  verdict = "holds"
}
