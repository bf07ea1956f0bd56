# The fix of ZOOKEEPER-4712, mSpec-3+ of Remix: a shutdown waits until the SyncRequestProcessor has logged its queue. What
# bugs/zk-4712.hcl finds is gone; the other bugs are still there.

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
  default = 1
}

options {
  fix = "zk-4712"
}

check {
  invariants = ["I-10"]
  stop       = "first"
  unused     = ["LeftSyncProcessorLogRequest"] # no shutdown leaves a SyncRequestProcessor behind
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict = "holds"
}
