# Pull request 1993 (ZOOKEEPER-4646 and 4685), table 6 of Remix: NEWLEADER is acknowledged when everything is logged, the
# transactions behind it; applying stays asynchronous (ZOOKEEPER-3023). The change stands on the fix of ZOOKEEPER-4712.

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
  fix = "pr-1993"
}

check {
  invariants = ["I-11.uptodate"]
  stop       = "first"
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-11.uptodate"
}
