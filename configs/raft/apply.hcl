# Applying under test, while a candidacy that wins is one step and an append and its answer are one.

extends = "raft.hcl"

module "election" {
  grain = "coarse-votes"
}

module "replication" {
  grain = "coarse-appends"
}

module "apply" {
  grain  = "baseline"
  target = true
}

interaction {
  level      = "L2"
  max_states = 2000000
  timeout    = "10m"
  bounds {
    terms    = 1
    timeouts = 1
    requests = 1
  }
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
  distinct    = 378859
}
