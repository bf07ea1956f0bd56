# PySyncObj#3 (pull request 167): a late answer sets the leader's next index to or below the match
# index.
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
  default = ["NextAboveMatch"]
}

expect {
  verdict   = var.version == "0.3.11" ? "violated" : "holds"
  invariant = var.version == "0.3.11" ? "NextAboveMatch" : null
  depth     = var.version == "0.3.11" ? 15 : null
}
