# WRaft#7: a refusal takes the next index to the match index.

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
  default = ["NextAboveMatch"]
}

expect {
  verdict   = var.repair == "all" ? "holds" : "violated"
  invariant = var.repair == "all" ? null : "NextAboveMatch"
}
