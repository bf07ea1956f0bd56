# CCF, premature node retirement (pull request 5973): a node takes part in nothing more once its removal is committed, and the next leader can commit nothing.

extends = "../ccf.hcl"

variable "mistake" {
  type    = string
  default = "premature-retirement"
}

variable "configurations" {
  type    = string
  default = "2C2N"
}

variable "servers" {
  type    = number
  default = 2
}

variable "terms" {
  type    = number
  default = 3
}

variable "requests" {
  type    = number
  default = 0
}

variable "pre_vote" {
  type    = string
  default = "disabled"
}

variable "timeouts" {
  type    = number
  default = 0
}

variable "step_downs" {
  type    = number
  default = 0
}

check {
  invariants = []
  properties = ["CommitReachesServiceProp"]
}

expect {
  verdict   = var.mistake == "none" ? "holds" : "violated"
  invariant = var.mistake == "none" ? null : "CommitReachesServiceProp"
}
