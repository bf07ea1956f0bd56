# Membership changes, one voter at a time, over elections and replication at once. With -var membership=joint any change of voters.

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

interaction {
  unchanged = ["replication"]
  bounds {
    terms    = 1
    timeouts = 1
    requests = 0
    changes  = 1
    queue    = 4
  }
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
  distinct    = 552892
}
