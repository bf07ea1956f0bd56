# A follower that has accepted NEWLEADER and not yet UPTODATE is shut down. Its memory stays as it
# is, while its log has what NEWLEADER brought: ZooKeeperServer.canShutdown is false before the
# server runs, so nothing reads the log. The follower votes and leads by its memory, and a committed
# write that its log has is lost. The crash of one leader is enough. In 3.7, in 3.8.0 to 3.8.6 and
# in 3.9.0 to 3.9.2. No ticket is known.
#
# With -var disk=one it holds within 1 transaction, 1 crash, 0 partitions: there the memory has what
# the log has. With -var fix=final it also holds within 1 transaction, 1 crash, 0 partitions, since
# NEWLEADER applies what is committed.

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

  # Option truncation = "both" is a repair. Servers do as "code": TRUNC to a zxid that the log does not have leaves the first
  # later record, which truncate-keeps-record.hcl is about. The follower has this record in memory, too, and takes the zxid of
  # TRUNC for its last one. In walk 7 of seed 1 a server whose log has only 1:1 gets TRUNC to 0:0, and keeps 1:1.
  difference "truncation-keeps-record" {
    deviation = "option truncation: \"both\" is a repair"
    versions  = ["3.8.0", "3.9.1", "3.9.5"]
    action    = "FollowerProcessSyncMessage"
    variables = ["History", "LastProcessed", "Disks"]
    when = Msgs[J][I][0].Kind == "TRUNC" && length([for r in Disks[I].Log : r if r.Zxid == Msgs[J][I][0].Zxid]) == 0 && (
      length(have.Disks[I].Log) == length(after.Disks[I].Log) + 1 && length(have.Disks[I].Log) <= length(Disks[I].Log) &&
      have.Disks[I].Log[length(after.Disks[I].Log)] == Disks[I].Log[length(after.Disks[I].Log)] &&
      length([for r in after.Disks[I].Log : r if length([for q in have.Disks[I].Log : q if q == r]) == 0]) == 0 &&
      length(have.History[I]) == have.LastProcessed[I] && length(have.History[I]) == length(after.History[I]) + 1 &&
      have.History[I][length(after.History[I])] == have.Disks[I].Log[length(after.Disks[I].Log)] &&
      have.Disks[I].Memory.Zxid == Msgs[J][I][0].Zxid && have.Disks[I].Snapshot == after.Disks[I].Snapshot &&
      length([for k in Status : k if k != I && (have.History[k] != after.History[k] || have.Disks[k] != after.Disks[k])]) == 0
    )
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
