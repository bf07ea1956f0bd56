# The SyncRequestProcessor of a follower begins a new log file and flushes two transactions in two
# files. The power fails. The file system has written the second file, and not the end of the first
# one. The follower starts with a hole, and its zxid is later than that of the others. It leads, and
# what they have committed is lost. In every version up to master. No ticket is known.
#
# With -var faults=power the same bounds hold: there the file system writes one file after the other.

extends = "../mspec-1.hcl"

variable "faults" {
  type    = string
  default = "power-threads"
}

# "none" is what the servers do.
variable "fix" {
  type    = string
  default = "final"
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
  default = 1
}

variable "partitions" {
  type    = number
  default = 0
}

variable "losses" {
  type    = number
  default = 1
}

module "synchronization" {
  grain = "fine-concurrent"
}

module "broadcast" {
  grain = "fine-concurrent"
}

module "faults" {
  grain = var.faults
}

locals {
  epochs = 1 + var.crashes + var.partitions + var.losses
}

bounds {
  requests = var.transactions
  losses   = var.losses
}

options {
  fix        = var.fix
  disk       = "apart"
  truncation = var.truncation
  exceptions = "continue"
}

implementation "zookeeper" {
  # Without the option disk = "apart" the reason is another one.
  difference "committed-log-begins-late" {
    deviation = "disk_committed.go: the log is one file of any size"
  }

  symptom "lost-write" {}

  # The follower keeps its power.
  control {
    without = "NodeLosesRolledLog(I: 0)"
  }
}

check {
  invariants = ["I-8"]
  except     = ["I-11.epoch"]
  stop       = "first"
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
