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

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 1054
    views     = 6446
    digest    = "d98255f2130f63d1ff1427715acbbf51ce6eee9c"
    sequences = "c8e11e8050a2d9af8f48e1afc5e6c9b3ff6bbd25"
  }

  accept {
    action    = "FollowElected"
    reason    = "a server follows a leader to which it connects later, or never"
    missed    = 161
    views     = 6446
    digest    = "59e52617e88d6da8901127bde1562c36d57d4158"
    sequences = "ec8b1295000030ce2aaba81e34522242c95fcb28"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 20
    views     = 6446
    digest    = "15721186d300000340050008b000500000040e01"
    sequences = "8b8fba06000000826ac600000000000000000000"
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
