# etcd-io/raft#456, etcd#12133: as campaign-unapplied, up to two leaders of one term. The configuration is {0, 1, 2}, and both others are
# taken out one by one. The leader restarts, applies both changes, and wins alone. Another server, which has applied neither, wins with the
# vote of the third.

extends = "../membership-at-once.hcl"

variable "timeouts" {
  type    = number
  default = 3
}

variable "restarts" {
  type    = number
  default = 1
}

variable "mistake" {
  type    = string
  default = "campaign-unapplied"
}

check {
  invariants = ["ElectionSafety"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "ElectionSafety"
}
