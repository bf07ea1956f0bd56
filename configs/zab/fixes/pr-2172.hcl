# Pull request 2172 (ZOOKEEPER-4837): when TRUNC reads the disk again, it passes over snapshots that
# are newer than its zxid. It holds within 1 transaction, 2 crashes, 1 partition. But the snapshots
# stay on the disk, and a restart loads one with a transaction that nobody committed. That needs one
# crash, partition or request more: see docs/results/larger-bounds.md, and snap-for-trunc.hcl.

extends = "truncate-snapshots.hcl"

variable "truncation" {
  default = "pr-2172"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap",
    "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT",
  "FollowerLogsAfterGap", "LeaderIgnoresACK"]
}

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 152
    views     = 1408
    digest    = "45cca6089ae7535ae15b5e3c32b31d534871c072"
    sequences = "9a7c62b2000561d855a155b671b139ac80000000"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 14
    views     = 1408
    digest    = "44912821001000000017e0007a000db72d000000"
    sequences = "c93f02d50000061008e55c219100000000000000"
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
    snapshots     = 1
  }
}

expect {
  verdict = "holds"
}
