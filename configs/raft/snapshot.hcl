# Snapshots under test: compaction and what a leader sends to a follower that is behind it, while a quorum elects a leader in one step.

extends = "raft.hcl"

variable "compactions" {
  type    = number
  default = 1
}

variable "heartbeats" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 0
}

module "election" {
  grain = "coarse"
}

module "apply" {
  grain = "coarse"
}

module "snapshot" {
  grain  = "baseline"
  target = true
}

check {
  unused = ["Heal"] # bounds of 0 leave them without a cause
}
