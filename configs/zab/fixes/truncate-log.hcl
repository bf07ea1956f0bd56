# A repair of ../bugs/truncate-keeps-record.hcl: TRUNC takes every record after its zxid from the log,
# also where the log does not have the zxid. No pull request is known. In master, with a
# transaction and a snapshot more than that manifest has. It leaves ../bugs/zk-4837.hcl, which
# truncate-snapshots.hcl repairs.
#
# With -var truncation=code the same bounds are violated.

extends = "../bugs/truncate-keeps-record.hcl"

variable "truncation" {
  default = "log"
}

variable "transactions" {
  default = 2
}

variable "snapshots" {
  type    = number
  default = 1
}

bounds {
  snapshots = var.snapshots
}

options {
  variant = "master"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap",
    "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT",
  "FollowerLogsAfterGap", "LeaderIgnoresACK", "PartitionRecover"]
}

expect {
  verdict = "holds"
}
