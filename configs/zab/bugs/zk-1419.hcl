# ZOOKEEPER-1419, in 3.4.3: where zxids are equal votes are compared by identity whatever their epochs, so that each of two servers
# takes the other's vote for the better one and no election ends. Zookeeper#1 of SandTable; one crash is enough.

extends = "../sysspec.hcl"

variable "crashes" {
  type    = number
  default = 1
}

variable "transactions" {
  type    = number
  default = 0
}

options {
  variant = "v3.4.3"
}

check {
  invariants = ["votes.circle"]
  except     = []
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "votes.circle"
}
