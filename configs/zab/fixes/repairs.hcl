# All repairs together, in master of 2026-07: rejoin.hcl, truncate-log.hcl, truncate-snapshots.hcl,
# reads-log.hcl, pr-2459.hcl and pr-1109.hcl. Servers join late, log and memory are apart, and a
# leader proposes, logs, applies and queues NEWLEADER in steps of their own. All invariants hold,
# and nothing is masked.
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
  grain = "fine-leader"
}

module "broadcast" {
  grain = "fine-leader"
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
  epoch_zxids = var.epoch_zxids
}

check {
  invariants = ["*"]
  except     = []
  stop       = "first"
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync",
    "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync",
  "LeaderIgnoresNextACK"]
}

interaction {
  level = "L0"
}

expect {
  verdict = "holds"
}
