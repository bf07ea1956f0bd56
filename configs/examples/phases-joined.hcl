# The mistake of section 2: a log is as old as the last phase that its server joined. A server that
# joins two phases without success makes its empty log look newer than the log of the majority.
#
# Rounds find it: multigrain simulate configs/examples/phases-joined.hcl -strategy rounds

extends = "phases.hcl"

variable "dated" {
  type    = string
  default = "joined"
}

variable "phases" {
  type    = number
  default = 4
}

check {
  invariants = ["Agreement"]
  stop       = "first"
}

simulate {
  timeout = "60s"
}

expect {
  verdict   = "violated"
  invariant = "Agreement"
}
