# A follower that has accepted NEWLEADER and not yet UPTODATE is shut down. Its memory stays as it
# is, while its log has what NEWLEADER brought: ZooKeeperServer.canShutdown is false before the
# server runs, so nothing reads the log. The follower votes and leads by its memory, and a committed
# write that its log has is lost. The crash of one leader is enough. In 3.7, in 3.8.0 to 3.8.6 and
# in 3.9.0 to 3.9.2. No ticket is known.
#
# With -var disk=one the same bounds hold: there the memory has what the log has. With -var fix=final
# they hold, too: NEWLEADER applies what is committed.

extends = "../mspec-1-join.hcl"

variable "disk" {
  type    = string
  default = "apart"
}

variable "fix" {
  type    = string
  default = "none"
}

# With "both" truncate-keeps-record.hcl does not come first. Servers do as "code".
variable "truncation" {
  type    = string
  default = "both"
}

variable "transactions" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 0
}

bounds {
  requests = var.transactions
}

options {
  fix        = var.fix
  disk       = var.disk
  truncation = var.truncation
}

# The servers begin with a transaction that their snapshots have and their logs have not. So a leader
# that has begun to serve sends SNAP to a server that has no other transaction.
implementation "zookeeper" {
  # Without the option disk = "apart" the reason is another one.
  difference "committed-log-begins-late" {
    deviation = "disk_committed.go: the log is one file of any size"
  }

  settings {
    prelude = "snapshot"
  }

  symptom "lost-write" {}

  # The follower serves before it loses its leader: then it reads its log.
  control {
    insert = "FollowerProcessUPTODATE(I: 2, J: 1)"
    before = "NodeCrash(I: 1, Tmp: false)"
  }
}

check {
  invariants = ["I-8"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
