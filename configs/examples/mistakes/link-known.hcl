# After the repair of PySyncObj#1 the user of the transport still counts the node as connected.

extends = "../link.hcl"

variable "invariants" {
  default = ["KnownIsConnected"]
}

expect {
  verdict   = "violated"
  invariant = "KnownIsConnected"
}
