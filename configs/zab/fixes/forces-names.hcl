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

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 136
    views     = 1199
    digest    = "7a0b57f99a71532ae15b123c42f38f534871d182"
    sequences = "81f62d3f000e2f1a216752a2abb7c77500000000"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 14
    views     = 1199
    digest    = "44912821001000000017e0007a000db72d000000"
    sequences = "5868991300000390093f68f73000000000000000"
  }

  against {
    election  = "coarse-election"
    discovery = "baseline"
  }

  bounds {
    servers       = 3
    transactions  = 1
    requests      = 1
    crashes       = 0
    partitions    = 0
    epochs        = 2
    fle_timeouts  = 0
    notifications = 8
    losses        = 1
  }
}

expect {
  verdict = "holds"
}
