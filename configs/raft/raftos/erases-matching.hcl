# RaftOS#2 (ticket 26): a late append erases entries that the follower has acknowledged.
# The trace of 0.2.6 is done on the package with multigrain replay; see ../../../docs/results/raftos.md.

extends = "../raftos.hcl"

variable "timeouts" {
  default = 1
}

variable "terms" {
  default = 1
}

variable "invariants" {
  default = ["CommittedIsReplicated"]
}

expect {
  verdict   = var.version == "0.2.6" ? "violated" : "holds"
  invariant = var.version == "0.2.6" ? "CommittedIsReplicated" : null
  depth     = var.version == "0.2.6" ? 7 : null
}
