# CommittedRwOrderedSerializableInv as it was published until commit c0330a2d: a transaction without
# a response may lie between two committed ones. MCSingleNodeOrderedSerializableCounterexample of
# CCF's repository, with 10 actions. With -var ordered=extends, the property of today, it holds.

extends = "ccf-consistency.hcl"

variable "ordered" {
  default = "adjacent"
}

variable "history" {
  default = 7
}

variable "views" {
  default = 1
}

variable "invariants" {
  default = ["CommittedRwOrderedSerializableInv"]
}

variable "reads" {
  default = false
}

expect {
  verdict   = var.ordered == "adjacent" ? "violated" : "holds"
  invariant = var.ordered == "adjacent" ? "CommittedRwOrderedSerializableInv" : null
  depth     = var.ordered == "adjacent" ? 10 : null
}
