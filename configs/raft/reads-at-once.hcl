# Reads that a quorum confirms in one step, over coarse elections and replication.

extends = "coarse.hcl"

variable "reads" {
  type    = number
  default = 1
}

variable "terms" {
  type    = number
  default = 3
}

variable "timeouts" {
  type    = number
  default = 3
}

variable "requests" {
  type    = number
  default = 1
}

variable "restarts" {
  type    = number
  default = 0
}

module "apply" {
  grain = "baseline"
}

module "client" {
  grain  = "reads-at-once"
  target = true
}

check {
  unused = ["Heal"] # bounds of 0 leave them without a cause
}

interaction {
  unchanged = ["replication"]

  accept {
    action    = "Apply"
    reason    = "a candidacy that fails leaves a server with a higher term, so that a quorum with it does not confirm the read"
    missed    = 18
    views     = 129
    digest    = "8bbeb72803990a009700fa0000e00d000f5c05a0"
    sequences = "48578e2490000000000000000000000000000000"
  }

  bounds {
    terms    = 2
    timeouts = 2
    requests = 0
    reads    = 1
    restarts = 0
    queue    = 4
  }
}

expect {
  verdict     = "holds"
  interaction = "gap"
  level       = "L2"
  distinct    = 852652
}
