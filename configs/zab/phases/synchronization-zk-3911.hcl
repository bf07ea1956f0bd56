# ZOOKEEPER-3911 (see ../bugs/zk-3911.hcl) with Synchronization alone under test.
extends = "synchronization.hcl"

variable "bug" {
  default = "zk-3911"
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
  invariants = ["I-8"]
  except     = []
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
