# RaftOS#4 (pull request 30): a leader with entries of an older term does not commit those of its own.
# The trace of 0.2.6 is done on the package with multigrain replay; see ../../../docs/results/raftos.md.

extends = "../raftos.hcl"

variable "requests" {
  default = 2
}

variable "wire" {
  default = 4
}

variable "invariants" {
  default = ["CommitProgress"]
}

expect {
  verdict   = var.version == "0.2.6" ? "violated" : "holds"
  invariant = var.version == "0.2.6" ? "CommitProgress" : null
  depth     = var.version == "0.2.6" ? 21 : null
}
