# ZOOKEEPER-1419, in 3.4.3: where zxids are equal votes are compared by identity whatever their epochs, so that each of two servers
# takes the other's vote for the better one and no election ends. One crash is enough. With the bounds and the property of
# SandTable, which finds it as ZooKeeper#1: zk-1419-sandtable.hcl.

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
