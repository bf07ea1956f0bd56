# ZOOKEEPER-2845 (see ../bugs/zk-2845.hcl) with Broadcast alone under test.
extends = "broadcast.hcl"

variable "bug" {
  default = "zk-2845"
}

variable "transactions" {
  default = 2
}

variable "crashes" {
  default = 2
}

variable "partitions" {
  default = 0
}

check {
  invariants = ["I-10"]
  except     = []
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-10"
}
