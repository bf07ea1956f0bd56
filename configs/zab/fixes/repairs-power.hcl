# All repairs together, also those for losses of power, in master of 2026-07: repairs.hcl,
# forces-snapshots.hcl, forces-start.hcl, forces-old-file.hcl, and names and ends of files are
# forced. Servers join late, take snapshots, crash within a flush, and lose power in each way that
# package zab has. All invariants hold within 1 transaction, 1 crash, 0 partitions, and nothing is
# masked.
#
# With -var forces=code or -var fix=none the same bounds are violated.

extends = "repairs.hcl"

variable "forces" {
  type    = string
  default = "all"
}

variable "crashes" {
  default = 1
}

variable "partitions" {
  default = 0
}

variable "losses" {
  type    = number
  default = 1
}

variable "snapshots" {
  type    = number
  default = 0
}

variable "timeouts" {
  type    = number
  default = 0
}

module "faults" {
  grain = "crash-partition"
}

locals {
  epochs = 1 + var.crashes + var.partitions + var.losses + var.timeouts
}

bounds {
  losses    = var.losses
  snapshots = var.snapshots
  timeouts  = var.timeouts
}

options {
  disk_faults = "all"
  forces      = var.forces
}

check {
  # Election and discovery are one step, so no leader is in discovery.
  vacuous = ["s.ZabState[i] == BROADCAST is false in isEstablishing"]
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync",
    "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync",
    "LeaderIgnoresNextACK", "PartitionRecover", "NodeLosesRolledLog", "NodeLosesEpochs",
  "NodeLosesTruncation"]
}

# Three servers and one fault, against the finer grains of ../phases/joins-late.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "epochs are acknowledged in another order, or a fault comes before a quorum has done so; the coarse grain has a quorum in one step"
    missed    = 1389
    views     = 10847
    digest    = "2416553364b2f6d7703b4873cee1301abdf94506"
    sequences = "872b448560e14788b988354321c4ee7a55c6b2eb"
  }

  accept {
    action    = "FollowElected"
    reason    = "a server follows a leader to which it connects later, or never"
    missed    = 229
    views     = 10847
    digest    = "74f4154be2849dab73e38b6d030d63b8d0d76953"
    sequences = "bd83d4ef00000403922b83e21b77d386d7c84aec"
  }

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 20
    views     = 10847
    digest    = "f6f67734b300000cf0050006bf00070030040001"
    sequences = "c590e74700000005596fa000000063293816b82d"
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
    partitions    = 0
    epochs        = 2
    fle_timeouts  = 0
    notifications = 8
    losses        = 1
  }
}

expect {
  verdict = "holds"
}
