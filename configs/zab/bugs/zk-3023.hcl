# ZOOKEEPER-3023: a follower acknowledges UPTODATE and serves while its CommitProcessor has yet to apply what it was
# synchronised with, so the leader takes a follower for up to date that is not. Found by mSpec-3 of Remix; one crash is enough.

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
  invariants = ["I-11.uptodate"]
  stop       = "first"
}

implementation "zookeeper" {
  symptom "serves-unapplied" {}

  # The follower logs and applies what it has before the leader counts the acknowledgement.
  control {
    insert = ["FollowerSyncProcessorLogRequest(I: 0, J: 2)", "FollowerCommitProcessorCommit(I: 0)"]
    before = "LeaderProcessNextACK(I: 2, J: 0)"
  }
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-11.uptodate"
}
