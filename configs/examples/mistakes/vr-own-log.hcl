# A new primary keeps its own log, whatever a quorum has sent.

extends = "../vr.hcl"

variable "takes" {
  type    = string
  default = "own"
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
