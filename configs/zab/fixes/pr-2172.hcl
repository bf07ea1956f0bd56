# Pull request 2172 (ZOOKEEPER-4837): when TRUNC reads the disk again, it passes over snapshots that
# are newer than its zxid. It holds within these bounds, which have one client request. But the
# snapshots stay on the disk, so a restart could load one with a transaction that nobody committed.
# That needs a second request: see snap-for-trunc.hcl.

extends = "truncate-snapshots.hcl"

variable "truncation" {
  default = "pr-2172"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap",
    "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT",
  "FollowerLogsAfterGap", "LeaderIgnoresACK"]
}

expect {
  verdict = "holds"
}
