# ZOOKEEPER-4925: pull request 2152, as it is in 3.9.3, applies with NEWLEADER what is committed and
# does not add it to committedLog. When that server leads, committedLog has a hole, and a learner
# gets a DIFF that lacks a committed transaction. In 3.9.3 only. With -var fix=pr-2254, the code of
# 3.9.4, it holds within 2 transactions, 2 crashes, 0 partitions.
#
# TRUNC truncates all here, so that no other known loss comes first.

extends = "../mspec-1-join.hcl"

variable "fix" {
  type    = string
  default = "pr-2152"
}

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 2
}

variable "partitions" {
  type    = number
  default = 0
}

module "faults" {
  grain = "crash-partition"
}

bounds {
  requests = var.transactions
}

options {
  disk_faults = "snapshots"
  fix         = var.fix
  disk        = "apart"
  truncation  = "both"
}

check {
  invariants = ["I-9"]
  except     = ["I-11.epoch"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-9"
}
