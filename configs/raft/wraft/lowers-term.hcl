# WRaft#4: a snapshot sets the term to that of its last entry.

extends = "../wraft.hcl"

variable "repair" {
  default = "none"
}

variable "timeouts" {
  default = 2
}

variable "beats" {
  default = 1
}

variable "isolations" {
  default = 1
}

variable "invariants" {
  default = ["MonotonicTerm"]
}

expect {
  verdict   = var.repair == "all" ? "holds" : "violated"
  invariant = var.repair == "all" ? null : "MonotonicTerm"
}
