# CCF, commit advance for previous term (pull requests 3971 and 5674): a leader commits a signature of an earlier term.

extends = "../ccf.hcl"

variable "mistake" {
  type    = string
  default = "previous-term"
}

variable "configurations" {
  type    = string
  default = "1C2N"
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
  default = 1
}

variable "step_downs" {
  type    = number
  default = 1
}

check {
  invariants = ["NeverCommitEntryPrevTermsProp"]
  stop       = "first"
}

expect {
  verdict   = var.mistake == "none" ? "holds" : "violated"
  invariant = var.mistake == "none" ? null : "NeverCommitEntryPrevTermsProp"
}
