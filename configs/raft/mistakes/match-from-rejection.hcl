# PySyncObj#4, CCF: a rejection changes matchIndex.

extends = "../replication.hcl"

variable "mistake" {
  type    = string
  default = "match-from-rejection"
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

check {
  invariants = ["MonotonicMatch"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "MonotonicMatch"
}
