# The chain under test, while the client calls and sends in one step.

extends = "chain.hcl"

module "client" {
  grain  = "coarse"
  target = null
}

module "master" {
  target = null
}

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
  distinct    = 386809
  interaction = "preserved"
  level       = "L2"
}
