# CCF, inaccurate AE-ACK (pull request 6016): an acknowledgement has the end of the log. A heartbeat so vouches for entries of another leader.

extends = "../ccf.hcl"

variable "mistake" {
  type    = string
  default = "ae-ack"
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
  default = 4
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
  default = 2
}

variable "step_downs" {
  type    = number
  default = 0
}

variable "log" {
  type    = number
  default = 5
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
