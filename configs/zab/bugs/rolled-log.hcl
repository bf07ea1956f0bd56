# The SyncRequestProcessor of a follower begins a new log file and flushes two transactions in two
# files. The power fails. The file system has written the second file, and not the end of the first
# one. The follower starts with a hole, and its zxid is later than that of the others. It leads, and
# what they have committed is lost. In every version up to master. No ticket is known.
#
# With -var faults=power it holds within 2 transactions, 1 crash, 0 partitions: there the file
# system writes one file after the other.

extends = "unforced-log.hcl"

variable "faults" {
  type    = string
  default = "rolled"
}

variable "forces" {
  default = "code"
}

variable "transactions" {
  default = 2
}

module "synchronization" {
  grain = "follower-threads"
}

module "broadcast" {
  grain = "follower-threads"
}

module "faults" {
  grain = "crash-partition"
}

options {
  disk_faults = var.faults
}

check {
  invariants = ["I-8"]
  except     = ["I-11.epoch"]
  stop       = "first"
}

implementation "zookeeper" {
  # The follower keeps its power.
  control {
    without = "NodeLosesRolledLog(I: 0)"
  }
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
