# A repair of ../bugs/unforced-snapshot.hcl: a follower forces each snapshot that it writes before it
# acknowledges NEWLEADER, as it does after SNAP. In master, without changes of NEWLEADER.
#
# With -var forces=code the same bounds are violated.

extends = "../bugs/unforced-snapshot.hcl"

variable "fix" {
  type    = string
  default = "pr-2459"
}

variable "forces" {
  default = "snapshots"
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
    missed    = 160
    views     = 1638
    digest    = "241f48554e2ddbaed772ddb14f5d98aa4c2e2d0b"
    sequences = "ac29810d000e672dd9cc463dd82dea941582355b"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 14
    views     = 1638
    digest    = "b29db6ea0af0015000000d70007b00f060000103"
    sequences = "567c8a1900000008400009cd3c67fc9490000000"
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
    snapshots     = 0
    losses        = 1
  }
}

expect {
  verdict = "holds"
}
