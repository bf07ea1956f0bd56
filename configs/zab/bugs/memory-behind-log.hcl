# A follower that has accepted NEWLEADER and not yet UPTODATE is shut down. Its memory stays as it
# is, while its log has what NEWLEADER brought: ZooKeeperServer.canShutdown is false before the
# server runs, so nothing reads the log. The follower votes and leads by its memory, and makes
# others truncate a committed write. In 3.7, in 3.8.0 to 3.8.6 and in 3.9.0 to 3.9.2. No ticket is
# known.
#
# The composition has pull request 2111, as 3.9.2 does, and a TRUNC that truncates all, so that no
# other known bug comes first. With -var disk=one the same bounds hold: there the memory has what the
# log has.

extends = "../mspec-3.hcl"

variable "disk" {
  type    = string
  default = "apart"
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

options {
  fix        = "pr-2111"
  disk       = var.disk
  truncation = "both"
}

check {
  invariants = ["I-8"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
