# The chain under test, while the master removes a server and tells everyone in one step.

extends = "chain.hcl"

module "master" {
  grain  = "coarse"
  target = null
}

module "client" {
  target = null
}

# One crash. With two crashes there are gaps, which no manifest accepts: see docs/results/preservation.md.
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
  distinct    = 310587
  interaction = "preserved"
  level       = "L2"
}
