# The client under test, while a server stores an update and passes it on in one step.

extends = "chain.hcl"

module "replication" {
  grain  = "coarse"
  target = null
}

module "master" {
  target = null
}

# One crash. With two crashes there is a gap, which no manifest accepts: see docs/results/preservation.md.
interaction {
  level      = "L2"
  max_states = 2000000
  bounds {
    puts = 1
    gets = 1
  }
}

expect {
  verdict     = "holds"
  distinct    = 150415
  interaction = "preserved"
  level       = "L2"
}
