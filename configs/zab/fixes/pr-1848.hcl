# Pull request 1848 (ZOOKEEPER-3023), table 6 of Remix: NEWLEADER logs and applies what is committed before it is acknowledged,
# but behind the epoch, so that a crash between the two still loses committed transactions (ZOOKEEPER-4643). The change stands
# on the fix of ZOOKEEPER-4712.

extends = "../mspec-3.hcl"

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 3
}

variable "partitions" {
  type    = number
  default = 0
}

options {
  fix = "pr-1848"
}

check {
  invariants = ["I-8"]
  stop       = "first"
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
