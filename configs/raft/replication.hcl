# Replication under test: every append and answer, while a candidacy that wins is one step.

extends = "raft.hcl"

variable "terms" {
  type    = number
  default = 3
}

variable "timeouts" {
  type    = number
  default = 3
}

module "election" {
  grain = "coarse-votes"
}

module "replication" {
  grain  = "baseline"
  target = true
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
    action = "HandleVoteResp"
    reason = "a candidacy that lasts or fails, so that appends of the old leader reach servers of a higher term"
  }

  accept {
    action = "HandleVote"
    reason = "a candidacy that lasts, so that appends of the old leader reach servers of a higher term"
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
}
