# A repair of ../bugs/truncated-ack.hcl: a leader forgets the acknowledgements of a follower that it
# loses, for what is not committed. It holds where the leader applies at once what it commits.
# acks-taken-back-apply.hcl shows that it is not enough.

extends = "../bugs/truncated-ack.hcl"

options {
  fix = "acks-taken-back"
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
