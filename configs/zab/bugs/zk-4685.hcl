# ZOOKEEPER-4685: the SyncRequestProcessor acknowledges a proposal before QuorumPeer acknowledges NEWLEADER; the leader takes
# the first acknowledgement for that of NEWLEADER, finds another epoch in it, and does not count the follower. Found by mSpec-3
# of Remix; one crash is enough.

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
  default = 0
}

check {
  invariants = ["I-12"]
  stop       = "first"
}

implementation "zookeeper" {
  symptom "log-line" {
    text = "is from a different epoch"
  }

  # The follower acknowledges NEWLEADER first.
  control {
    insert = "FollowerProcessNEWLEADERReplyAck(I: 0, J: 2)"
    before = "FollowerSyncProcessorLogRequest(I: 0, J: 2)"
  }
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-12.epoch"
}
