# ZOOKEEPER-4837: a follower has a snapshot that is newer than the zxid of TRUNC. The log is
# truncated, and then the server loads that snapshot again. A leader writes such a snapshot when it
# begins to lead, with transactions that no quorum has. In every version up to master.
#
# The log is truncated in full here, so that truncate-keeps-record.hcl does not come first. With
# -var truncation=both these bounds violate I-15.disk, in 25 steps, for another reason: a follower
# votes by a memory that lacks what its log has, as in memory-behind-log.hcl. Master does not have
# that, and holds within 1 transaction, 1 crash, 1 partition.

extends = "truncate-keeps-record.hcl"

variable "truncation" {
  type    = string
  default = "log"
}

variable "crashes" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 1
}

# The servers begin with a transaction in their logs, so TRUNC truncates the log in full.
implementation "zookeeper" {
  settings {
    prelude = "true"
  }

  symptom "diverged-logs" {}

  # The server does not lead a second time, so it has no newer snapshot.
  control {
    without = "QuorumElection(I: 1, S: {1, 2})"
  }
}

expect {
  verdict   = "violated"
  invariant = "I-15.phantom"
}
