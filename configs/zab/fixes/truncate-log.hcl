# A repair of ../bugs/truncate-keeps-record.hcl: TRUNC takes every record after its zxid from the log,
# also where the log does not have the zxid. No pull request is known. In master, with a
# transaction and a snapshot more than that manifest has. It leaves ../bugs/zk-4837.hcl, which
# truncate-snapshots.hcl repairs.
#
# With -var truncation=code the same bounds are violated.

extends = "../bugs/truncate-keeps-record.hcl"

variable "truncation" {
  default = "log"
}

variable "transactions" {
  default = 2
}

variable "snapshots" {
  type    = number
  default = 1
}

bounds {
  snapshots = var.snapshots
}

options {
  variant = "master"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap",
    "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT",
  "FollowerLogsAfterGap", "LeaderIgnoresACK", "PartitionRecover"]
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
