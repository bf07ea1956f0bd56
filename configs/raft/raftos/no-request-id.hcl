# RaftOS#3 (ticket 27): a leader that an append of an older term is refused raises a KeyError.
# The trace of 0.2.6 is done on the package with multigrain replay; see ../../../docs/results/raftos.md.

extends = "../raftos.hcl"

variable "invariants" {
  default = ["Exception"]
}

expect {
  verdict   = var.version == "0.2.6" ? "violated" : "holds"
  invariant = var.version == "0.2.6" ? "Exception" : null
  depth     = var.version == "0.2.6" ? 6 : null
}
