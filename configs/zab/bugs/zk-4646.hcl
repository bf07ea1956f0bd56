# ZOOKEEPER-4646: a follower acknowledges NEWLEADER, and the leader serves, before the SyncRequestProcessor has logged what the
# follower was synchronised with; it crashes, is elected, and what was committed is lost. Found by mSpec-3 of Remix; three
# crashes are enough. ZOOKEEPER-4712 is fixed here: else the SyncRequestProcessor that a shutdown leaves behind is one crash and
# two steps shorter, and no follower needs to crash.

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
  fix = "zk-4712"
}

check {
  invariants = ["I-8"]
  stop       = "first"
}

implementation "zookeeper" {
  symptom "lost-write" {}

  # The SyncRequestProcessor logs what it has before the follower crashes.
  control {
    insert = "FollowerSyncProcessorLogRequest(I: 0, J: 2)"
    before = "NodeCrash(I: 0, Tmp: false)"
  }
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
