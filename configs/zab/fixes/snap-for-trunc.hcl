# The repair of TRUNC that is enough: a leader sends SNAP where it would send TRUNC, and what a follower
# writes then is all that it has on disk. With the other repairs, in master of 2026-07. A leader that
# serves takes the zxid of its epoch for its last one, as ZooKeeper does.
#
# With -var transactions=2 -var crashes=2 it holds within 2 transactions, 2 crashes, 1 partition.
# With -var truncation=both these larger bounds are violated: what SNAP replaced comes back from the
# log, as in ../bugs/replaced-log.hcl. With -var truncation=pr-2172 a restart loads the snapshot
# that TRUNC has passed over.

extends = "../mspec-1-join.hcl"

variable "truncation" {
  type    = string
  default = "snap"
}

variable "fix" {
  type    = string
  default = "repairs"
}

variable "transactions" {
  default = 1
}

module "synchronization" {
  grain = "follower-threads"
}

module "broadcast" {
  grain = "leader-threads"
}

module "faults" {
  grain = "crash-partition"
}

bounds {
  requests = var.transactions
}

options {
  leader_threads = "log"
  disk_faults    = "snapshots"
  variant        = "master"
  fix            = var.fix
  disk           = "apart"
  truncation     = var.truncation
  epoch_zxids    = true
}

check {
  # Election and discovery are one step, so no leader is in discovery.
  vacuous    = ["s.ZabState[i] == BROADCAST is false in isEstablishing"]
  invariants = ["*"]
  except     = []
  stop       = "first"
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerProcessNEWLEADERLogPackets", "FollowerGivesUp", "LeaderIgnoresFirstACK",
    "FollowerIgnoresSync", "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT",
    "FollowerExitsAtUPTODATEAsync", "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync",
  "FollowerLogsAfterGapAsync", "LeaderIgnoresNextACK"]
}

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 1070
    views     = 4985
    digest    = "ae0e596b1fc4f2850daae2cae7d7b56209317352"
    sequences = "6bb5cad45cb844455e3d94ae94f94ce890000000"
  }

  accept {
    action    = "FollowElected"
    reason    = "a server follows a leader to which it connects later, or never"
    missed    = 82
    views     = 4985
    digest    = "e7e9b5f800e64e7662afbd055b5c6df0ffeea6bb"
    sequences = "77f66da100003448e047e1f35473e48e00000000"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 24
    views     = 4985
    digest    = "eda72f604e900adf006210500050530003c00910"
    sequences = "d7e1c35c00000998f28000000000000000000000"
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
