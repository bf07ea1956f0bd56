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

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 124
    views     = 1261
    digest    = "4e4aee8a4509297d92b554d2b671909d383053e1"
    sequences = "185f9e080004c1339f3bd7b911d9fe3c00000000"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 14
    views     = 1261
    digest    = "44feb65d0000708bb00f9400a0000000002000fd"
    sequences = "f95822b5000006f003ff992a4000000000000000"
  }

  against {
    election  = "coarse-election"
    discovery = "baseline"
  }

  bounds {
    servers       = 3
    transactions  = 1
    requests      = 1
    crashes       = 1
    partitions    = 0
    epochs        = 2
    fle_timeouts  = 0
    notifications = 8
  }
}

expect {
  verdict = "holds"
}
