# A new primary keeps its own log, whatever a quorum has sent.

extends = "../vr.hcl"

variable "own_log" {
  type    = bool
  default = true
}

variable "crashes" {
  type    = number
  default = 0
}

expect {
  verdict   = "violated"
  invariant = "Agreement"
  depth     = 9
  distinct  = null
}
