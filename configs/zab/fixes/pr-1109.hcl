# Pull request 1109 as a repair of ../bugs/zk-2354.hcl, in master: a follower that processes
# NEWLEADER first creates the file updatingEpoch, and removes it after it has accepted the epoch. A
# start that finds the file takes the epoch of its last transaction. That is right: a log with a
# transaction of an epoch has all with which the epoch began. All invariants hold within 2
# transactions, 1 crash, 1 partition, and nothing is masked. Servers join late, and SNAP is allowed.
#
# With -var fix=none the same bounds violate I-11.epoch.

extends = "../mspec-1-join.hcl"

variable "fix" {
  type    = string
  default = "pr-1109"
}

variable "transactions" {
  default = 2
}

module "synchronization" {
  grain = "follower-steps"
}

options {
  variant = "master"
  fix     = var.fix
}

check {
  # Election and discovery are one step, so no leader is in discovery.
  vacuous    = ["s.ZabState[i] == BROADCAST is false in isEstablishing"]
  invariants = ["*"]
  except     = []
  stop       = "first"
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerExitsAtTRUNC", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGap", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE",
  "FollowerExitsAtCOMMIT", "FollowerLogsAfterGap", "LeaderIgnoresACK"]
}

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 96
    views     = 720
    digest    = "8a10710eb36d744318c356b033f2912b419070aa"
    sequences = "60f1be12000e64ebaa72fc83e2ce7a9ec8c00000"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 10
    views     = 720
    digest    = "de1a090b0022000d00079000000d700a1000e000"
    sequences = "aa6daac900000042000376d8ea90000000000000"
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
