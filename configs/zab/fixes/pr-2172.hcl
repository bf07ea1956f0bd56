# Pull request 2172 (ZOOKEEPER-4837): when TRUNC reads the disk again, it passes over snapshots that
# are newer than its zxid. It holds within these bounds, which have one client request. But the
# snapshots stay on the disk, and a restart loads the newest one, with a transaction that nobody
# committed. That needs a second request, -var transactions=2, and is too deep for an exhaustive
# search. docs/results/findings/zk-4837.md has the command that finds it.

extends = "truncate-snapshots.hcl"

variable "truncation" {
  default = "pr-2172"
}

expect {
  verdict = "holds"
}
