# Xraft#1: a candidate counts votes for its earlier candidacy: two leaders in a term.

extends = "../election.hcl"

module "replication" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

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
  unused     = ["Heal"]
  invariants = ["ElectionSafety"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "ElectionSafety"
}
