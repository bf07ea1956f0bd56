# Phase 2 under test, while a leader counts a quorum of answers of phase 1 in one step.

extends = "paxos.hcl"

module "prepare" {
  grain  = "coarse"
  target = null
}

interaction {
  level      = "L2"
  max_states = 200000
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
}
