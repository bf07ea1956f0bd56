# A vote is answered before it is on disk and a crash forgets it: two leaders in a term.

extends = "../election.hcl"

variable "mistake" {
  type    = string
  default = "vote-not-persisted"
}

variable "terms" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 0
}

variable "restarts" {
  type    = number
  default = 1
}

check {
  invariants = ["ElectionSafety"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "ElectionSafety"
}
