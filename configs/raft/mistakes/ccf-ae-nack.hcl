# CCF, commit advance on AE-NACK (pull request 5326): a leader keeps the estimate of a refusal as an acknowledgement, here of a candidate that it won against.

extends = "../ccf.hcl"

variable "mistake" {
  type    = string
  default = "ae-nack"
}

variable "configurations" {
  type    = string
  default = "1C3N"
}

variable "servers" {
  type    = number
  default = 3
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

variable "timeouts" {
  type    = number
  default = 2
}

variable "step_downs" {
  type    = number
  default = 1
}

variable "log" {
  type    = number
  default = 5
}

variable "one_candidate" {
  type    = bool
  default = false
}

variable "wire" {
  type    = number
  default = 2
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
