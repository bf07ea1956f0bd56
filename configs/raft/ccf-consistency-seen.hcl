# ccf-consistency-service.hcl, where entries of no client are appended with what a client sees. It
# has few hidden ledgers, and fits grain observed-at-once of the consensus.

extends = "ccf-consistency-service.hcl"

variable "views" {
  default = 4
}

module "writes" {
  grain  = "as-seen"
  target = false
}

module "status" {
  grain  = "service"
  target = true
}

module "reads" {
  grain = null
}

module "elections" {
  grain = null
}

module "others" {
  grain = null
}
