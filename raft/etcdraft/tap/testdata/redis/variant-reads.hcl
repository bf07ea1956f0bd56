# As variant.hcl, with reads that a quorum confirms.

extends = "variant.hcl"

variable "reads" {
  type    = number
  default = 6
}

module "client" {
  grain = "reads"
}
