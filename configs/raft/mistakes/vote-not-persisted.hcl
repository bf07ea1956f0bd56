# A vote is answered before it is on disk and a crash forgets it: two leaders in a term.

extends = "../election.hcl"

module "replication" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

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
  unused     = ["Heal"]
  invariants = ["ElectionSafety"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "ElectionSafety"
}
