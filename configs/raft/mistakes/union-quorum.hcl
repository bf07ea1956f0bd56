# CCF, incorrect election quorum tally: a quorum of the union of both configurations counts as a quorum of each.

extends = "../membership-joint.hcl"

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
}

expect {
  verdict   = "violated"
  invariant = "LeaderCompleteness"
}
