# All repairs together, in master of 2026-07: rejoin.hcl, truncate-log.hcl, truncate-snapshots.hcl,
# reads-log.hcl, pr-2459.hcl and pr-1109.hcl. Servers join late, log and memory are apart, and a
# leader proposes, logs, applies and queues NEWLEADER in steps of their own. All invariants hold
# within 1 transaction, 1 crash, 1 partition, and nothing is masked.
#
# The bounds are small: one client request, one crash, one partition. The repair of TRUNC here is not
# enough with two requests: snap-for-trunc.hcl has one that is.
#
# With -var fix=none or -var truncation=code the same bounds are violated.

extends = "../mspec-1-join.hcl"

variable "fix" {
  type    = string
  default = "repairs"
}

variable "truncation" {
  type    = string
  default = "both"
}

variable "epoch_zxids" {
  type    = bool
  default = false
}

variable "transactions" {
  default = 1
}

module "synchronization" {
  grain = "leader-threads"
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
  disk_faults = "snapshots"
  variant     = "master"
  fix         = var.fix
  disk        = "apart"
  truncation  = var.truncation
  epoch_zxids = var.epoch_zxids
}

check {
  # Election and discovery are one step, so no leader is in discovery.
  vacuous    = ["s.ZabState[i] == BROADCAST is false in isEstablishing"]
  invariants = ["*"]
  except     = []
  stop       = "first"
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
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
    missed    = 1245
    views     = 8004
    digest    = "522522c190ccc4a14cd75ac270d0eb9370cd19d5"
    sequences = "d72762b161d95c37deb433a5aa28bee8bb670000"
  }

  accept {
    action    = "FollowElected"
    reason    = "a server follows a leader to which it connects later, or never"
    missed    = 193
    views     = 8004
    digest    = "4a7a7d284fea7dd4f8e247bfac0d4cb9d0576ca8"
    sequences = "79426490000004b667479c2538414fe714100000"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 24
    views     = 8004
    digest    = "8fb2931501bf000320051090cf0008f050049006"
    sequences = "4f02a1b100000072968600000000000000000000"
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
