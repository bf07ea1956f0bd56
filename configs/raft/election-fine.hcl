# Election with PreVote, CheckQuorum and leadership transfer under test, while an append and its answer are one
# step.

extends = "election.hcl"

variable "pre_vote" {
  type    = bool
  default = true
}

variable "check_quorum" {
  type    = bool
  default = true
}

variable "transfers" {
  type    = number
  default = 1
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 0
}

module "election" {
  grain  = "fine"
  target = true
}

module "replication" {
  grain = "coarse-appends"
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
    reason    = "an append whose answer is late, so that a leader hands over or is elected with an older view of its follower"
    missed    = 24
    views     = 111
    digest    = "f5726bb1050a00000006300c8e0e00000820030e"
    sequences = "e9320ac900000046444000000000000000000000"
  }

  bounds {
    terms     = 1
    timeouts  = 1
    transfers = 1
  }
}

expect {
  verdict     = "holds"
  interaction = "gap"
  level       = "L2"
}
