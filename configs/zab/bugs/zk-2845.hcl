# ZOOKEEPER-2845, from 3.4.10 on: a server that looks for a leader keeps its database in memory,
# which lacks what it has logged and not applied, and is synchronised by that. A restart brings the
# rest of the log back. With -var bug=none it holds within 2 transactions, 2 crashes, 0 partitions:
# a shutdown reads the log.

extends = "../mspec-1.hcl"

variable "bug" {
  type    = string
  default = "zk-2845"
}

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 2
}

variable "partitions" {
  type    = number
  default = 0
}

bounds {
  requests = var.transactions
}

options {
  bug = var.bug
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
