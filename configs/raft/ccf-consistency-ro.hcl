# Read-only transactions of CCF are not linearizable: a former leader that does not know of an
# election answers without a transaction that is committed. MCMultiNodeReadsNotLinearizable of its
# repository, and section 7 of the paper: a trace of 12 states, 11 steps. With -var views=1 it holds.

extends = "ccf-consistency.hcl"

variable "history" {
  default = 8
}

variable "views" {
  default = 2
}

variable "invariants" {
  default = ["AllCommittedObservedRoInv"]
}

expect {
  verdict   = var.views > 1 ? "violated" : "holds"
  invariant = var.views > 1 ? "AllCommittedObservedRoInv" : null
  depth     = var.views > 1 ? 11 : null
}
