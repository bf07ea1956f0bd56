# ZOOKEEPER-5094: a follower truncates, applies in memory what is committed before NEWLEADER, and
# loses its connection. The memory is ahead of the disk and stays. When the follower joins again, its
# leader sees nothing missing and sends an empty DIFF, which writes no snapshot. So the follower
# acknowledges NEWLEADER without the transaction on its disk. Later transactions are logged, and a
# restart shows a hole. In every version up to master, with the final resolution of Remix, too.
#
# TRUNC truncates all here, so that no other known loss comes first. With -var
# synchronization=follower-threads it holds within 2 transactions, 0 crashes, 2 partitions: there no
# COMMIT comes before NEWLEADER.

extends = "../mspec-1-join.hcl"

variable "synchronization" {
  type    = string
  default = "leader-threads"
}

# With a first transaction in the log, "log" is what servers do.
variable "truncation" {
  type    = string
  default = "both"
}

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 0
}

variable "partitions" {
  type    = number
  default = 2
}

module "synchronization" {
  grain = var.synchronization
}

module "broadcast" {
  grain = "follower-threads"
}

module "faults" {
  grain = "crash-partition"
}

bounds {
  requests = var.transactions
  epochs   = 2
}

options {
  disk_faults = "snapshots"
  fix         = "final"
  disk        = "apart"
  truncation  = var.truncation
}

check {
  invariants = ["I-15.disk"]
  except     = ["I-11.epoch"]
  stop       = "first"
  unused     = ["LeftSyncProcessorLogRequest"] # no shutdown leaves a SyncRequestProcessor behind
}

# Servers do what ../versions/zk-5094.hcl says of their version, which the final resolution does not.
implementation "zookeeper" {
  symptom "memory-only" {}

  # The connection does not break before NEWLEADER, so the follower writes a snapshot.
  control {
    without = "PartitionStart(I: 0, J: 1)"
  }
}

expect {
  verdict   = "violated"
  invariant = "I-15.disk"
}
