# ZOOKEEPER-4712: a follower that loses its leader does not stop its SyncRequestProcessor, which logs what it has queued when
# the server has already told others of its last transaction. The next leader knows nothing of it and leaves it in the
# follower's log. Found by mSpec-3 of Remix; one crash is enough.

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
  invariants = ["I-10"]
  stop       = "first"
}

implementation "zookeeper" {
  symptom "diverged-logs" {}

  # The leader does not crash, so the follower's SyncRequestProcessor is not left.
  control {
    without = "NodeCrash(I: 2, Tmp: false)"
  }
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-10"
}
