# The resource managers under test, while the transaction manager counts and commits in one step.

extends = "twophase.hcl"

variable "managers" {
  type    = number
  default = 3
}

module "coordinator" {
  grain = "coarse"
}

interaction {
  level      = "L2"
  max_states = 200000
}

expect {
  verdict     = "holds"
  distinct    = null
  interaction = "preserved"
  level       = "L2"
}
