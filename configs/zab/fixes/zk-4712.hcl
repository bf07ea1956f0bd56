# The fix of ZOOKEEPER-4712, mSpec-3+ of Remix: a shutdown waits until the SyncRequestProcessor has logged its queue. What
# bugs/zk-4712.hcl finds is gone; the other bugs are still there.

extends = "../mspec-3.hcl"

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 1
}

options {
  fix = "zk-4712"
}

check {
  invariants = ["I-10"]
  stop       = "first"
  unused     = ["LeftSyncProcessorLogRequest"] # no shutdown leaves a SyncRequestProcessor behind
}

# Three servers and one fault, against the finer grains of ../phases/joins-together.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 7
    views     = 890
    digest    = "5d70f379000f000c05000000005010008000000b"
    sequences = "68bbd50c60000000000562fb97b174d000000000"
  }

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "a quorum begins without a server that joins late, or a fault comes before it has acknowledged the epoch; the coarse grain has all that are reachable in one step"
    missed    = 754
    views     = 890
    digest    = "94a0cd093adeddf81b33149f11dd64454473a6c5"
    sequences = "c39d7a80e78697e5d89f58eeacb7f8eff254c000"
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
