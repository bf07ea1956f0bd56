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

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 136
    views     = 1172
    digest    = "7a0b57f99a71532ae15b123c42f38f534871d182"
    sequences = "1e89ad1400038f79b3223c421d73f38ef2f5dcac"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 14
    views     = 1172
    digest    = "b29db6ea0af0015000000d70007b00f060000103"
    sequences = "c3ea1e87000000df0008c9efc5a1865000000000"
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
