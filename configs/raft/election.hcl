# Election under test: every message of it, while an append and its answer are one step.

extends = "raft.hcl"

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

module "election" {
  grain  = "baseline"
  target = true
}

module "replication" {
  grain = "coarse-appends"
}

module "apply" {
  grain = "coarse"
}

check {
  unused = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal"] # bounds of 0 leave them without a cause
}

interaction {
  level      = "L2"
  max_states = 2000000
  timeout    = "10m"

  accept {
    action    = "HandleApp"
    reason    = "an append whose answer is late, so that the leader is elected or not with an older view of its follower"
    missed    = 54
    views     = 345
    digest    = "f8a4ac2d30063adc4f02a001e347409904740281"
    sequences = "0edfa770000001873b0000000000000000000000"
  }

  bounds {
    terms    = 2
    timeouts = 2
    requests = 0
  }
}

expect {
  verdict     = "holds"
  interaction = "gap"
  level       = "L2"
  distinct    = 47848
}
