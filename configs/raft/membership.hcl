# Membership changes under test, one voter at a time, over coarse elections and replication.

extends = "coarse.hcl"

variable "changes" {
  type    = number
  default = 2
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 0
}

variable "restarts" {
  type    = number
  default = 0
}

module "apply" {
  grain = "baseline"
}

module "membership" {
  grain  = "baseline"
  target = true
}

module "client" {
  grain  = "baseline"
  target = false
}

check {
  unused = ["ProposeLeave", "Heal"] # bounds of 0 leave them without a cause
}
