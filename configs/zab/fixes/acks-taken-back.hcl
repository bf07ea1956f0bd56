# A repair of ../bugs/truncated-ack.hcl: a leader forgets the acknowledgements of a follower that it
# loses, for what is not committed. It holds within 1 transaction, 1 crash, 1 partition where the
# leader applies at once what it commits. acks-taken-back-apply.hcl shows that it is not enough.

extends = "../bugs/truncated-ack.hcl"

options {
  fix = "acks-taken-back"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerExitsAtTRUNC", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync",
    "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync",
  "LeaderIgnoresNextACK"]
}

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 1082
    views     = 3803
    digest    = "4fc467e3240f9c4446724d1451e68c98219f6e98"
    sequences = "6dae0abbc8aaf2d9141861caba7524c8eafe3c1b"
  }

  accept {
    action    = "FollowElected"
    reason    = "a server follows a leader to which it connects later, or never"
    missed    = 138
    views     = 3803
    digest    = "6fa88b9b7b54a4f1e853f6244073b13eba50e47d"
    sequences = "3b6c789b0000f27f80e924e5a8d397acac14cca0"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 36
    views     = 3803
    digest    = "9469a46177380d455e002a07900e60501c5b90ac"
    sequences = "3c827d7c000002c2b1f0000000000c7f6f000000"
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
