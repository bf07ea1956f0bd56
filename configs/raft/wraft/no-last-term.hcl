# WRaft#9: a candidate whose log is compacted tells the term 0.

extends = "../wraft.hcl"

variable "repair" {
  default = "none"
}

variable "timeouts" {
  default = 2
}

variable "invariants" {
  default = ["CandidateHasTerm"]
}

expect {
  verdict   = contains(["all", "last-term"], var.repair) ? "holds" : "violated"
  invariant = contains(["all", "last-term"], var.repair) ? null : "CandidateHasTerm"
}
