# Synchronization under test, with Election and Discovery coarse on their own: a server leads, or follows, in one step; it
# learns the epoch in one step. Three servers show what coarse Discovery leaves out; Election is coarse on both sides.

extends = "synchronization.hcl"

variable "crashes" {
  default = 0
}

module "election" {
  grain = "coarse-election"
}

module "discovery" {
  grain = "coarse"
}

check {
  invariants = ["*"]
  except     = ["I-14.npe"]
  unused     = ["NodeStart"] # without crashes
}

interaction {
  unchanged = ["election", "broadcast"]

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "a partition after a leader has accepted an epoch and before its follower does leaves the epoch with the leader alone"
    missed    = 11
    views     = 171
    digest    = "fe54a0fb000000000c001000f00900360d000000"
    sequences = "941ea29907957520000000000000000000000000"
  }

  bounds {
    transactions  = 0
    requests      = 0
    crashes       = 0
    epochs        = 2
    fle_timeouts  = 0
    notifications = 8
  }
}

expect {
  verdict     = "holds"
  interaction = "gap"
  level       = "L2"
}
