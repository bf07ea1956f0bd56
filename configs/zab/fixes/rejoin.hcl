# A repair of ../bugs/truncated-ack.hcl and ../bugs/truncated-commit.hcl. A leader forgets the
# acknowledgements of a follower that it loses, and never makes a follower truncate what is
# committed and not yet applied.

extends = "acks-taken-back-apply.hcl"

options {
  fix = "rejoin"
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerExitsAtTRUNC", "LeaderIgnoresFirstACK", "FollowerIgnoresSync",
    "FollowerHoldsBackAfterGapAsync", "FollowerIgnoresCOMMIT", "FollowerExitsAtUPTODATEAsync",
    "LeftSyncProcessorLogRequest", "FollowerExitsAtCOMMITAsync", "FollowerLogsAfterGapAsync",
  "LeaderIgnoresNextACK"]
}

expect {
  verdict = "holds"
}
