# CCF, incorrect election quorum tally (pull request 4018): votes are counted in the union of the active configurations.

extends = "../ccf.hcl"

variable "mistake" {
  type    = string
  default = "election-quorum"
}

variable "configurations" {
  type    = string
  default = "2C5N"
}

variable "servers" {
  type    = number
  default = 5
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
  default = 2
}

variable "step_downs" {
  type    = number
  default = 1
}

variable "changes" {
  type    = number
  default = 1
}

variable "queue" {
  type    = number
  default = 2
}

variable "batch" {
  type    = number
  default = 1
}

variable "log" {
  type    = number
  default = 5
}

variable "wire" {
  type    = number
  default = 1
}

variable "constraints" {
  type    = list(string)
  default = ["wire"]
}

check {
  invariants = ["MoreThanOneLeaderInv"]
  stop       = "first"
}

expect {
  verdict   = var.mistake == "none" ? "holds" : "violated"
  invariant = var.mistake == "none" ? null : "MoreThanOneLeaderInv"
}
