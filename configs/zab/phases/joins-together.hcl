# Election and Discovery at the coarse grain of figure 5b, with which all join together, compared at
# level L2 with three servers, a crash and a partition. See joins-late.hcl.

extends = "../mspec-1.hcl"

variable "transactions" {
  default = 1
}

variable "crashes" {
  default = 1
}

variable "partitions" {
  default = 1
}

check {
  vacuous = ["s.ZabState[i] == BROADCAST is false in isEstablishing"] # election and discovery are one step, so no leader is in discovery
}

interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "30m"

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 19
    views     = 1802
    digest    = "4a836f0d0020080ab20020000c0000aa10b00b0c"
    sequences = "5ce8d8bbf5eeb354e49f9f318af9573c4d7df98c"
  }

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "a quorum begins without a server that it could reach, which joins late. See joins-late.hcl"
    missed    = 1260
    views     = 1802
    digest    = "bc38d9b0f27d19018d5e4792b4fa345fc30102ae"
    sequences = "9bbb2cc1ec3b99c27a3a3394485e3456919b8b17"
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
    partitions    = 1
    epochs        = 3
    fle_timeouts  = 0
    notifications = 8
  }
}

expect {
  verdict     = "holds"
  interaction = "gap"
  level       = "L2"
}
