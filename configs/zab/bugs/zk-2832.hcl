# ZOOKEEPER-2832, in 3.4.9, the divergence of the communication-closure paper: a leader that has
# nothing but a snapshot sends it to a learner that is ahead. The learner's log keeps what the
# snapshot lacks, and is read again after the next shutdown. The harness there is a request, a step
# without any, a request, with four faults; here it takes three crashes. With -var bug=none it holds
# within 2 transactions, 3 crashes, 0 partitions: the learner gets a TRUNC.

extends = "../mspec-1.hcl"

variable "bug" {
  type    = string
  default = "zk-2832"
}

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
