# PySyncObj#2 (pull request 166): a follower takes the commit index of an append as it is, so that it
# goes down with an older append.
# The trace of 0.3.11 is done on the package with multigrain replay; see ../../../docs/results/pysyncobj.md.

extends = "../pysyncobj.hcl"

variable "version" {
  type    = string
  default = "0.3.11"
}

variable "requests" {
  default = 2
}

variable "beats" {
  default = 3
}

variable "partitions" {
  default = 1
}

variable "invariants" {
  default = ["MonotonicCommit"]
}

expect {
  verdict   = var.version == "0.3.11" ? "violated" : "holds"
  invariant = var.version == "0.3.11" ? "MonotonicCommit" : null
  depth     = var.version == "0.3.11" ? 12 : null
}
