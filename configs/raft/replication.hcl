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
  vacuous = ["s.Role[i] == Candidate is true in voteForSelf"]  # a candidacy that wins is one step
  unused  = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal"] # bounds of 0 leave them without a cause
}

interaction {
  level      = "L2"
  max_states = 2000000
  timeout    = "10m"

  accept {
    action    = "HandleVoteResp"
    reason    = "a candidacy that lasts or fails, so that appends of the old leader reach servers of a higher term"
    missed    = 36
    views     = 450
    digest    = "b35f951dc5cbcec056c708675f000ad0000d40be"
    sequences = "67ee476559274740000000000000000000000000"
  }

  accept {
    action    = "HandleVote"
    reason    = "a candidacy that lasts, so that appends of the old leader reach servers of a higher term"
    missed    = 6
    views     = 450
    digest    = "2cd5307b0000030408070d000000030000000000"
    sequences = "f045e4a900a00000000000000000000000000000"
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
