# Two of four servers are a majority, so that two servers lead in one term.
# The trace of 0.2.6 is done on the package with multigrain replay; see ../../../docs/results/raftos.md.

extends = "../raftos.hcl"

variable "servers" {
  default = 4
}

variable "terms" {
  default = 1
}

variable "requests" {
  default = 0
}

variable "wire" {
  default = 12
}

variable "invariants" {
  default = ["ElectionSafety"]
}

expect {
  verdict   = var.version == "0.2.6" ? "violated" : "holds"
  invariant = var.version == "0.2.6" ? "ElectionSafety" : null
  depth     = var.version == "0.2.6" ? 6 : null
}
