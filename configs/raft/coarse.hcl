# Every module at its coarse grain: what is left is the order of elections, commands and faults.

extends = "raft.hcl"

variable "queue" {
  type    = number
  default = 1 # nothing is sent
}

variable "terms" {
  type    = number
  default = 4
}

variable "timeouts" {
  type    = number
  default = 4
}

variable "requests" {
  type    = number
  default = 2
}

variable "restarts" {
  type    = number
  default = 2
}

module "election" {
  grain = "coarse"
}

module "replication" {
  grain = "coarse"
}

module "apply" {
  grain = "coarse"
}

module "client" {
  grain  = "baseline"
  target = true
}

options {
  append = "at-once"
}

check {
  unused = ["Heal"] # bounds of 0 leave them without a cause
}
