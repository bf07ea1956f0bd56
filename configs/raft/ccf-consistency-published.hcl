# What clients of CCF see, as published, with all that ccf-clients.hcl needs of it: views begin with
# 2, and ledgers have entries of no client. With refine, history, terms and log are those of the
# consensus. The bounds here are for a check of this manifest alone.

extends = "ccf-consistency.hcl"

variable "history" {
  default = 6 # two transactions with an outcome
}

variable "views" {
  default = 3
}

variable "entries" {
  type    = number
  default = 3
}

module "others" {
  grain = "baseline"
}

bounds {
  first     = 2
  log       = var.entries
  elections = null
  others    = null
}
