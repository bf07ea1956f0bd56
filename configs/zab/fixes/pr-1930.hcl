# Pull request 1930 (ZOOKEEPER-4394), table 6 of Remix: a COMMIT behind NEWLEADER finds its transaction, but logging stays
# asynchronous, so that acknowledgements still come in the wrong order (ZOOKEEPER-4685). The change stands on the fix of
# ZOOKEEPER-4712.

extends = "../mspec-3.hcl"

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 0
}

options {
  fix = "pr-1930"
}

check {
  invariants = ["I-12"]
  stop       = "first"
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-12.epoch"
}
