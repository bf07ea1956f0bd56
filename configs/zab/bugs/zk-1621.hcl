# ZOOKEEPER-1621: the process of a server ends after it has made the next file of its log and before
# the header is in it. Before 3.9.3 the server never starts again: its start ends at the empty file.
#
# With -var version=v3.9.3 it holds within 1 transaction, 1 crash, 0 partitions: a start deletes
# such a file. With -var losses=1 it is violated in each version: half a header and a wrong checksum
# are refused, and so is a log whose snapshot was lost.

extends = "unforced-tail.hcl"

variable "version" {
  type    = string
  default = "v3.9.2"
}

variable "losses" {
  default = 0
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
  disk_faults = "files"
  variant     = var.version
}

check {
  invariants = ["I-11.files"]
}

expect {
  verdict   = contains(["v3.9.3", "v3.9.5", "master"], var.version) ? "holds" : "violated"
  invariant = contains(["v3.9.3", "v3.9.5", "master"], var.version) ? null : "I-11.files"
}
