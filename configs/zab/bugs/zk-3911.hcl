# ZOOKEEPER-3911, in 3.6.2: a follower acknowledges NEWLEADER before it has logged what a DIFF
# brought, so the leader serves, and delivers, with transactions that only its own disk has. With
# -var bug=none it holds within 2 transactions, 2 crashes, 0 partitions: a follower logs first.

extends = "../mspec-1.hcl"

variable "bug" {
  type    = string
  default = "zk-3911"
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
  invariants = ["I-8"]
  except     = []
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
