# PySyncObj#5 (pull request 169): a leader commits an entry of an older term since a majority has it:
# figure 8 of the Raft paper.
# The trace of 0.3.11 is done on the package with multigrain replay; see ../../../docs/results/pysyncobj.md.

extends = "../pysyncobj.hcl"

variable "version" {
  type    = string
  default = "0.3.11"
}

variable "servers" {
  default = 3
}

variable "requests" {
  default = 1
}

variable "beats" {
  default = 1
}

variable "timeouts" {
  default = 2
}

variable "terms" {
  default = 2
}

variable "partitions" {
  default = 1
}

variable "invariants" {
  default = ["CommitsOwnTerm"]
}

expect {
  verdict   = var.version == "0.3.11" ? "violated" : "holds"
  invariant = var.version == "0.3.11" ? "CommitsOwnTerm" : null
  depth     = var.version == "0.3.11" ? 10 : null
}
