# Membership changes under test, one voter at a time, while a candidacy that wins is one step and an append and its answer are one.

extends = "raft.hcl"

variable "terms" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 0
}

variable "changes" {
  type    = number
  default = 2
}

module "election" {
  grain = "coarse-votes"
}

module "replication" {
  grain = "coarse-appends"
}

module "membership" {
  grain  = "baseline"
  target = true
}

check {
  vacuous = ["s.Role[i] == Candidate is true in voteForSelf"]                  # a candidacy that wins is one step
  unused  = ["HandleHeartbeat", "HandleHeartbeatResp", "ProposeLeave", "Heal"] # bounds of 0 leave them without a cause
}

interaction {
  level      = "L2"
  max_states = 2000000
  timeout    = "10m"
  bounds {
    terms    = 1
    timeouts = 1
    requests = 0
    changes  = 1
  }
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
  distinct    = 31498
}
