# Election with PreVote, CheckQuorum and leadership transfer under test, while a follower adopts the leader's log at once.

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
  grain = "coarse-heartbeats"
}

check {
  unused = ["HandleAppResp", "HandleHeartbeat", "HandleHeartbeatResp", "Heal"] # bounds of 0 leave them without a cause
}
