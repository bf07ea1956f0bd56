# Commands of clients under test, while a candidacy that wins is one step, an append and its answer are one, and what is
# committed is applied.

extends = "raft.hcl"

variable "requests" {
  type    = number
  default = 2
}

module "election" {
  grain = "coarse-votes"
}

module "replication" {
  grain = "coarse-appends"
}

module "apply" {
  grain = "coarse"
}

module "client" {
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
    requests = 2
  }
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
  distinct    = 133945
}
