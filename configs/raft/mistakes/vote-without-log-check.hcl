# A vote goes to a candidate whose log is behind: committed entries are lost.

extends = "../coarse.hcl"

variable "mistake" {
  type    = string
  default = "vote-without-log-check"
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
  default = 0
}

variable "restarts" {
  type    = number
  default = 0
}

check {
  invariants = ["LeaderCompleteness"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "LeaderCompleteness"
}
