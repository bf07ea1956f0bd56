# Reads that a quorum confirms in one step, over coarse elections and replication.

extends = "coarse.hcl"

variable "read_only" {
  type    = string
  default = "at-once"
}

variable "reads" {
  type    = number
  default = 1
}

variable "terms" {
  type    = number
  default = 3
}

variable "timeouts" {
  type    = number
  default = 3
}

variable "requests" {
  type    = number
  default = 1
}

variable "restarts" {
  type    = number
  default = 0
}

module "apply" {
  grain  = "baseline"
  target = true
}

module "client" {
  grain  = "reads-at-once"
  target = false
}

check {
  unused = ["Heal"] # bounds of 0 leave them without a cause
}
