# CCF, inaccurate AE-ACK: a follower acknowledges entries that the append does not vouch for.

extends = "../replication.hcl"

module "election" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

variable "mistake" {
  type    = string
  default = "ack-beyond-message"
}

variable "terms" {
  type    = number
  default = 3
}

variable "timeouts" {
  type    = number
  default = 3
}

variable "requests" {
  type    = number
  default = 1
}

options {
  empty_entry = false
}

check {
  invariants = ["*"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "Panic.next"
}
