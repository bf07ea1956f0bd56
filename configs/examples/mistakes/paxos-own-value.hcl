# A leader proposes its own value, whatever acceptors have accepted.

extends = "../paxos.hcl"

variable "own_value" {
  type    = bool
  default = true
}

expect {
  verdict   = "violated"
  invariant = "Agreement"
  distinct  = null
}
