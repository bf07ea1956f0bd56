# A follower truncates its log, joins its leader's epoch, and loses power before the file system has
# written the new end of the log, or has deleted its later files. FileTxnLog.truncate forces nothing.
# The follower starts with a write that nobody committed, and serves it. In every version up to
# master. No ticket is known.
# ../versions/lost-truncation.hcl has a behaviour of the same bounds that real servers do.
#
# The names of epochs are forced here, so that lost-epoch.hcl does not come first. With -var
# forces=all it holds within 2 transactions, 1 crash, 0 partitions: the end is forced, too. With
# -var faults=power it also holds within 2 transactions, 1 crash, 0 partitions.

extends = "../mspec-1-join.hcl"

variable "faults" {
  type    = string
  default = "names"
}

variable "forces" {
  type    = string
  default = "names"
}

variable "fix" {
  type    = string
  default = "final"
}

variable "crashes" {
  default = 1
}

variable "partitions" {
  default = 0
}

variable "losses" {
  type    = number
  default = 1
}

module "faults" {
  grain = "crash-partition"
}

locals {
  epochs = 1 + var.crashes + var.partitions + var.losses
}

bounds {
  requests = var.transactions
  losses   = var.losses
}

options {
  disk_faults = var.faults
  fix         = var.fix
  disk        = "apart"
  truncation  = "both"
  forces      = var.forces
}

check {
  invariants = ["I-15.phantom"]
  except     = ["I-11.epoch"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-15.phantom"
}
