# Xraft#1: a candidate counts votes for its earlier candidacy: two leaders in a term.

extends = "../election.hcl"

variable "mistake" {
  type    = string
  default = "stale-vote-replies"
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 4
}

variable "requests" {
  type    = number
  default = 0
}

check {
  invariants = ["ElectionSafety"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "ElectionSafety"
}
