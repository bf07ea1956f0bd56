# etcd#741, Xraft-KV#1: a leader answers reads without asking whether it still leads.

extends = "../reads-at-once.hcl"

variable "mistake" {
  type    = string
  default = "read-without-quorum"
}

variable "reads" {
  type    = number
  default = 1
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
  default = 1
}

variable "restarts" {
  type    = number
  default = 0
}

check {
  invariants = ["Linearizability"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "Linearizability"
}
