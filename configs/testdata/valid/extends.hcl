extends = "parts/middle.hcl"

# A default alone keeps the type; the rule of the extended manifest goes.
variable "servers" {
  default = 1

  validation {
    condition     = var.servers < 6
    error_message = "Five servers are enough."
  }
}

module "synchronization" {
  grain = "baseline"
}

# A module whose grain is null is left out.
module "discovery" {
  grain = null
}

bounds {
  epochs       = null
  transactions = 2
}

check {
  stop = 10
}

interaction {
  bounds {
    crashes = 0
  }
}
