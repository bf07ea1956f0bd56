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

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 150
    views     = 1356
    digest    = "98c1a8ac8ef084a1dc143d9cc6ad5b920b0fce62"
    sequences = "404de3f6037eb1f4ee9b3842973ed6e782000000"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 26
    views     = 1356
    digest    = "2f6f37e00bf00a7092000d27297b0ff060000403"
    sequences = "ac5f83310000005480000d548847c57d80000000"
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
    partitions    = 1
    epochs        = 2
    fle_timeouts  = 0
    notifications = 8
  }
}

expect {
  verdict = "holds"
}
