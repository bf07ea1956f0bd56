# A repair of ../bugs/lost-epoch.hcl and ../bugs/lost-truncation.hcl: a server that has renamed the file
# of an epoch forces the folder, and TRUNC forces the end of the log, and the folder where it has
# deleted later files. In master, without changes of NEWLEADER. Snapshots, the old file of the log,
# and the log that a start reads are forced as well.
#
# With -var forces=code or -var forces=names the same bounds are violated.

extends = "../bugs/lost-epoch.hcl"

variable "fix" {
  default = "none"
}

variable "forces" {
  default = "all"
}

options {
  variant = "master"
}

check {
  invariants = ["I-8", "I-15.phantom"]
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap",
    "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT",
    "FollowerLogsAfterGap", "LeaderIgnoresACK", "PartitionRecover", "NodeLosesEpochs",
  "NodeLosesTruncation"]
}

expect {
  verdict = "holds"
}
