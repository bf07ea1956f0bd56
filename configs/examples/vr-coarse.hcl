# View changes under test, while a primary counts and executes in one step.

extends = "vr.hcl"

module "normal" {
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
