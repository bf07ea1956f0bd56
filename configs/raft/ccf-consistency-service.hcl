# What clients of CCF see, where the service may have committed more than a client has heard of.

extends = "ccf-consistency-published.hcl"

module "status" {
  grain = "service"
}

module "elections" {
  grain = "service"
}
