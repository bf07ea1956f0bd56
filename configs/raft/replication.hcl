# Replication under test: every append and answer, while a quorum elects a leader in one step.

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
  grain = "coarse"
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
