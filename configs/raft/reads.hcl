# Linearizable reads under test: ReadIndex with its messages, while a quorum elects a leader and a follower
# adopts its log in one step.

extends = "raft.hcl"

variable "reads" {
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
  default = 1
}

module "election" {
  grain = "coarse"
}

module "replication" {
  grain = "coarse-heartbeats"
}

module "apply" {
  grain = "coarse"
}

module "client" {
  grain  = "reads"
  target = true
}

options {
  append = "at-once"
}

check {
  unused = ["HandleAppResp", "Heal"] # bounds of 0 leave them without a cause
}
