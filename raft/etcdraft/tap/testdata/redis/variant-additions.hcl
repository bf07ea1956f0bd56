# As variant.hcl, with servers that clients ask to be added.

extends = "variant.hcl"

variable "changes" {
  type    = number
  default = 3
}

variable "voters" {
  type    = number
  default = 2
}

# Who is applied to and restarts applies again, as the specification has it; what applications tell does not.
variable "restarts" {
  type    = number
  default = 0
}

module "membership" {
  grain = "additions"
}

bounds {
  additions = var.changes
}
