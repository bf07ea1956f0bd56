# What clients of CCF see, as published, with all that ccf-clients.hcl needs of it: views begin with
# 2, and ledgers have entries of no client.

extends = "ccf-consistency.hcl"

variable "views" {
  default = 3
}

module "others" {
  grain = "baseline"
}

bounds {
  first     = 2
  entries   = 7
  elections = null
  others    = null
}
