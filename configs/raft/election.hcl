# Election under test: every message of it, while a follower adopts the leader's log at once.

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
  grain  = "baseline"
  target = true
}

module "replication" {
  grain = "coarse"
}

module "apply" {
  grain = "coarse"
}

options {
  append = "at-once"
}

check {
  unused = ["Heal"] # bounds of 0 leave them without a cause
}
