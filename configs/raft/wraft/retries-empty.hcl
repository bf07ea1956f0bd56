# WRaft#5: a leader sends nothing again to a follower that has everything.

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
  default = ["RetryHasEntries"]
}

expect {
  verdict   = var.repair == "all" ? "holds" : "violated"
  invariant = var.repair == "all" ? null : "RetryHasEntries"
}
