# ZOOKEEPER-1154, in 3.3.3: a learner whose last transaction lies within the leader's committed log
# is sent a DIFF, whether the leader has that transaction or not. What the learner alone has logged
# stays, below what it is sent. With -var bug=none it holds within 3 transactions, 2 crashes, 0
# partitions: the learner gets a TRUNC or a SNAP.

extends = "../mspec-1.hcl"

variable "bug" {
  type    = string
  default = "zk-1154"
}

variable "transactions" {
  type    = number
  default = 3
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
  invariants = ["I-4"]
  except     = []
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-4"
}
