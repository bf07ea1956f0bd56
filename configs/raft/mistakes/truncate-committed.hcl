# CCF, truncation from early AE: a late append rolls back committed entries.

extends = "../replication.hcl"

module "election" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

variable "mistake" {
  type    = string
  default = "truncate-committed"
}

variable "network" {
  type    = string
  default = "udp"
}

variable "terms" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 1
}

variable "heartbeats" {
  type    = number
  default = 1
}

variable "duplicates" {
  type    = number
  default = 1
}

check {
  invariants = ["CommitInLog"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "CommitInLog"
}
