# A repair of ../bugs/memory-behind-log.hcl: a shutdown reads the log into memory, whatever the state
# of the server. 3.9.3 has another one: NEWLEADER applies what it logs. Here with a crash and a
# partition more than that manifest has.
#
# With -var fix=zk-4712, on which the repair stands, the same bounds are violated.

extends = "../bugs/memory-behind-log.hcl"

variable "fix" {
  default = "reads-log"
}

variable "crashes" {
  default = 2
}

variable "partitions" {
  default = 1
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerIgnoresSync", "FollowerHoldsBackAfterGap", "FollowerIgnoresCOMMIT",
    "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT", "FollowerLogsAfterGap",
  "LeaderIgnoresACK"]
}

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 156
    views     = 1395
    digest    = "211203979a77532ade9b12d2b2135a5e487151a2"
    sequences = "58edb8d4000872111de2adcef98bf5f1f9110000"
  }

  accept {
    action    = "FollowElected"
    reason    = "a server follows a leader to which it connects later, or never"
    missed    = 12
    views     = 1395
    digest    = "7fa2eb5c0004000000e60b05000000210050a0e0"
    sequences = "e08c40e500000000000000b3bb00000000000000"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 26
    views     = 1395
    digest    = "f07b999800c0701000f700057a000d37244a0860"
    sequences = "c0f4d7f0000004e004e52fceaa6e350000000000"
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
