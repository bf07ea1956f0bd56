# A follower acknowledges its whole disk: entries of another leader, too, which the message is not about.
# The trace of 0.15.0 is done on the package with multigrain replay; see ../../../docs/results/libraft.md.

extends = "../libraft.hcl"

variable "terms" {
  default = 3
}

variable "requests" {
  default = 2
}

variable "wire" {
  default = 6
}

variable "invariants" {
  default = ["MatchIsOnDisk"]
}

expect {
  verdict   = var.version == "0.15.0" ? "violated" : "holds"
  invariant = var.version == "0.15.0" ? "MatchIsOnDisk" : null
  depth     = var.version == "0.15.0" ? 13 : null
}
