# Election and Discovery at coarse-join, with which servers join late, compared at level L2 with
# three servers, a crash and a partition. The finer side has coarse-election and Discovery at its
# baseline, since Fast Leader Election does not end within these bounds. discovery-three-servers.hcl
# compares coarse-election with it.

extends = "../mspec-1-join.hcl"

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
  unused  = ["FollowerExitsAtTRUNC", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT", "FollowerLogsAfterGap", "LeaderIgnoresACK"]
}

interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "30m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 459
    views     = 1976
    digest    = "d4242a57da6b59e22a65475bf993c17d3fd8ed22"
    sequences = "b8355a6e011ba1c96eb2736595256d3e69c16c42"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 104
    views     = 1976
    digest    = "bad68e77dec50480412e2150260314ede2b1bb85"
    sequences = "2cac7c6c000036a115b26ccb43a7ad2ff976c5db"
  }

  accept {
    action    = "FollowElected"
    reason    = "a server follows a leader to which it connects later, or never"
    missed    = 30
    views     = 1976
    digest    = "0997f49c06d100057f1aa4a8e0005e04ed79635c"
    sequences = "dbc2a6d400000000007264351398d129f1a4254e"
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
