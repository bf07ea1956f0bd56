# Discovery under test, all else coarse: a server leads, or follows, in one step; a follower adopts the leader's history and epoch in
# one step; a transaction is replicated and committed in one step.

extends = "synchronization.hcl"

module "election" {
  grain = "coarse-election"
}

module "discovery" {
  grain  = "baseline"
  target = true
}

module "synchronization" {
  grain  = "coarse"
  target = false
}

interaction {
  unchanged = []
  bounds {
    servers       = 2
    epochs        = 4
    fle_timeouts  = 0
    notifications = 4
  }
}

expect {
  verdict     = "holds"
  interaction = "preserved"
}
