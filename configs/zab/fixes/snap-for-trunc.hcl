# The repair of TRUNC that is enough: a leader sends SNAP where it would send TRUNC, and what a follower
# writes then is all that it has on disk. With the other repairs, in master of 2026-07. A leader that
# serves takes the zxid of its epoch for its last one, as ZooKeeper does.
#
# With -var transactions=2 -var crashes=2 it holds, too. With -var truncation=both these larger bounds
# are violated: what SNAP replaced comes back from the log, as in ../bugs/replaced-log.hcl. With
# -var truncation=pr-2172 a restart loads the snapshot that TRUNC has passed over.

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
  grain = "fine-concurrent"
}

module "broadcast" {
  grain = "fine-leader-log"
}

module "faults" {
  grain = "crash-partition-disk"
}

bounds {
  requests = var.transactions
}

options {
  variant     = "master"
  fix         = var.fix
  disk        = "apart"
  truncation  = var.truncation
  epoch_zxids = true
}

check {
  invariants = ["*"]
  except     = []
  stop       = "first"
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerProcessNEWLEADERLogPackets", "FollowerGivesUp", "LeaderIgnoresFirstACK",
    "FollowerIgnoresSync", "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT",
    "FollowerExitsAtUPTODATEAsync", "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync",
  "FollowerLogsAfterGapAsync", "LeaderIgnoresNextACK"]
}

interaction {
  level = "L0"
}

expect {
  verdict = "holds"
}
