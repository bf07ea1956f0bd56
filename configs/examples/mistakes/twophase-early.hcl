# The transaction manager commits when a majority has prepared.

extends = "../twophase.hcl"

variable "managers" {
  type    = number
  default = 3
}

options {
  early = true
}

expect {
  verdict   = "violated"
  invariant = "Consistent"
  distinct  = null
}
