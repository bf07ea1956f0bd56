# CCF, incorrect election quorum tally: a quorum of the union of both configurations counts as a quorum of each.

extends = "../membership-at-once.hcl"

variable "membership" {
  type    = string
  default = "joint"
}

variable "changes" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "terms" {
  type    = number
  default = 2
}

variable "servers" {
  type    = number
  default = 5
}

variable "requests" {
  type    = number
  default = 0
}

variable "network" {
  type    = string
  default = "tcp"
}

variable "queue" {
  type    = number
  default = 1
}

variable "mistake" {
  type    = string
  default = "union-quorum"
}

variable "voters" {
  type    = number
  default = 3
}

check {
  invariants = ["LeaderCompleteness"]
  stop       = "first"
  slice      = true # without the mistake it has 37 333 620 states
}

expect {
  verdict   = "violated"
  invariant = "LeaderCompleteness"
}
