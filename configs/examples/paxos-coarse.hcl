# Both phases under test, while a server answers a query and its client takes the answer in one step.

extends = "paxos.hcl"

module "clients" {
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
