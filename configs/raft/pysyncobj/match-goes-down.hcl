# PySyncObj#4 (pull request 167): a late answer sets the leader's match index to an earlier one.
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
  default = 4
}

variable "timeouts" {
  default = 3
}

variable "terms" {
  default = 3
}

variable "partitions" {
  default = 1
}

variable "invariants" {
  default = ["MonotonicMatch"]
}

expect {
  verdict   = var.version == "0.3.11" ? "violated" : "holds"
  invariant = var.version == "0.3.11" ? "MonotonicMatch" : null
  depth     = var.version == "0.3.11" ? 23 : null
}
