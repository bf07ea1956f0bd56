# A repair of ../bugs/truncated-ack.hcl and ../bugs/truncated-commit.hcl. A leader forgets the
# acknowledgements of a follower that it loses, and never makes a follower truncate what is
# committed and not yet applied.

extends = "acks-taken-back-apply.hcl"

options {
  fix = "rejoin"
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
    missed    = 1146
    views     = 3998
    digest    = "8d0ae900103e59803db5b8930e5e77ff84405aa0"
    sequences = "701c38e9c8aaf21c9e1513b4533969217318c6f3"
  }

  accept {
    action    = "FollowElected"
    reason    = "a server follows a leader to which it connects later, or never"
    missed    = 142
    views     = 3998
    digest    = "f3811f967b54a4f1eb53f6244079b137ba53e47d"
    sequences = "c9baf5530000f27f80e427c1efe3837cbff219bc"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 36
    views     = 3998
    digest    = "e96dd0a33f98eabd0e002a07500f67500a00b00f"
    sequences = "42577236000002c3e5d000000000014d22f7f1e0"
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
