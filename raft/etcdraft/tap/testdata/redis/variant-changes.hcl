# As variant.hcl, with voters that change one at a time.

extends = "variant.hcl"

variable "changes" {
  type    = number
  default = 6
}

module "membership" {
  grain = "baseline"
}

# Who is applied to and restarts applies again, as the specification has it; what applications tell does not.
variable "restarts" {
  type    = number
  default = 0
}
