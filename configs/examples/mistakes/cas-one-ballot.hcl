# CASSANDRA-6023: a server keeps one ballot for what it promised and what it accepted. So a value that was committed
# looks newer than what was committed after it, and is committed again.
#
# Rounds find it, too: multigrain simulate configs/examples/mistakes/cas-one-ballot.hcl -strategy rounds

extends = "../cas.hcl"

variable "transactions" {
  type    = number
  default = 3
}

variable "split" {
  type    = bool
  default = false
}

check {
  invariants = ["AppliedOnce"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "AppliedOnce"
}

simulate {
  timeout = "60s"
}
