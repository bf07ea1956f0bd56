# etcd#7331: a new leader answers reads before it has committed an entry of its own term.

extends = "../reads-at-once.hcl"

variable "mistake" {
  type    = string
  default = "read-before-commit"
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
