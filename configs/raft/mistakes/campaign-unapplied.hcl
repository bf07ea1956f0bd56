# etcd#7280, etcd#12133: a server campaigns with committed configuration changes that it has not applied, and wins by a majority of
# the configuration before.

extends = "../membership-at-once.hcl"

variable "changes" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 1
}

variable "mistake" {
  type    = string
  default = "campaign-unapplied"
}

check {
  invariants = ["LeaderCompleteness"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "LeaderCompleteness"
}
