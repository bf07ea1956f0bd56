# Figure 8, PySyncObj#5, CCF: a leader commits an entry of an older term by counting replicas; a later leader does not have it.

extends = "../replication.hcl"

module "election" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

variable "mistake" {
  type    = string
  default = "commit-older-term"
}

variable "terms" {
  type    = number
  default = 4
}

variable "timeouts" {
  type    = number
  default = 4
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
  invariants = ["LeaderCompleteness"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "LeaderCompleteness"
}
