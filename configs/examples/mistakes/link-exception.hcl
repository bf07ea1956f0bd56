# PySyncObj#1, pull request 161: a connection that is reset while a node makes it is called connected, and the next
# message raises an AttributeError. multigrain replay does the trace on the package 0.3.10.

extends = "../link.hcl"

variable "version" {
  default = "0.3.10"
}

variable "invariants" {
  default = ["Exception"]
}

expect {
  verdict   = "violated"
  invariant = "Exception"
}
