# A leader commits an entry of an older term by counting: the dissertation's figure 3.7. Its repair is in releases after 0.15.0.
# The trace of 0.15.0 is done on the package with multigrain replay; see ../../../docs/results/libraft.md.

extends = "../libraft.hcl"

variable "servers" {
  default = 2
}

variable "terms" {
  default = 3
}

variable "beats" {
  default = 1
}

variable "restarts" {
  default = 1
}

variable "invariants" {
  default = ["CommitsOwnTerm"]
}

expect {
  verdict   = var.version == "0.15.0" ? "violated" : "holds"
  invariant = var.version == "0.15.0" ? "CommitsOwnTerm" : null
  depth     = var.version == "0.15.0" ? 13 : null
}
