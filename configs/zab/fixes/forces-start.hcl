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
    sequences = "06f95c0a504adaf2646832a313f5aade4db53893"
  }

  accept {
    action    = "FollowElected"
    reason    = "a server follows a leader to which it connects later, or never"
    missed    = 161
    views     = 6446
    digest    = "59e52617e88d6da8901127bde1562c36d57d4158"
    sequences = "df7bcdde00003096f8c14de2facfdd3517e8255e"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 20
    views     = 6446
    digest    = "15721186d300000340050008b000500000040e01"
    sequences = "bb5ccbc100000083228400000000000000000000"
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
