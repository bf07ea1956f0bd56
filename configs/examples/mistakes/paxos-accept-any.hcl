# An acceptor votes in a ballot that is older than its promise.

extends = "../paxos.hcl"

variable "accept_any" {
  type    = bool
  default = true
}

expect {
  verdict   = "violated"
  invariant = "Agreement"
  distinct  = null
}
