# A transaction that a client knows to be invalid is observed by a committed one. The published
# specification lets the last view's transactions be declared invalid before a later view commits, and
# the next leader may keep them. The published InvalidNotObservedByCommittedInv compares an ID with an
# event, so that it always holds. With -var invalid=certain, as in earlier versions, it holds.

extends = "ccf-consistency.hcl"

variable "invariants" {
  default = ["InvalidNotObservedByCommittedInv"]
}

variable "reads" {
  default = false
}

expect {
  verdict   = var.invalid == "early" ? "violated" : "holds"
  invariant = var.invalid == "early" ? "InvalidNotObservedByCommittedInv" : null
  depth     = var.invalid == "early" ? 9 : null
}
