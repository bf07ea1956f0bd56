# CCF, truncation from early AE (pull request 6016): a follower rolls back to where the first append of a term begins. A refusal of an earlier term lets it begin early.

extends = "../ccf.hcl"

variable "mistake" {
  type    = string
  default = "early-ae"
}

variable "configurations" {
  type    = string
  default = "1C2N"
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
  default = 1
}

variable "pre_vote" {
  type    = string
  default = "disabled"
}

variable "delivery" {
  type    = string
  default = "reordered-no-dup"
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "step_downs" {
  type    = number
  default = 1
}

variable "drops" {
  type    = number
  default = 1
}

variable "log" {
  type    = number
  default = 6
}

variable "one_append" {
  type    = bool
  default = false
}

variable "wire" {
  type    = number
  default = 3
}

variable "constraints" {
  type    = list(string)
  default = ["wire"]
}

check {
  invariants = ["ReplicationInv"]
  stop       = "first"
}

expect {
  verdict   = var.mistake == "none" ? "holds" : "violated"
  invariant = var.mistake == "none" ? null : "ReplicationInv"
}
