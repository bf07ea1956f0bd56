# RaftOS#1 (ticket 25): a late acknowledgement lowers the leader's match index.
# The trace of 0.2.6 is done on the package with multigrain replay; see ../../../docs/results/raftos.md.

extends = "../raftos.hcl"

variable "timeouts" {
  default = 1
}

variable "terms" {
  default = 1
}

variable "invariants" {
  default = ["MonotonicMatch"]
}

expect {
  verdict   = var.version == "0.2.6" ? "violated" : "holds"
  invariant = var.version == "0.2.6" ? "MonotonicMatch" : null
  depth     = var.version == "0.2.6" ? 8 : null
}
