# hashicorp/raft issue 661: LastVoteTerm and LastVoteCand are two writes. A server that crashes in
# between grants the candidate of an earlier term a vote without a comparison of logs. That
# candidate then leads without a committed entry. TestVoteInTwoWrites has the 17 steps.
#
# check does not reach them within ten minutes: 7.7 million states up to depth 12 after five minutes
# with symmetry, on 2026-11-28 and two cores that other work shared. Nor do 230,413 random walks of
# simulate in 100 s.

extends = "hashicorp.hcl"

module "faults" {
  grain = "restart-in-vote"
}

options {
  history = true
}

bounds {
  terms    = 4
  requests = 0
  calls    = 12
  timeouts = 4
  restarts = 2
}

check {
  invariants = ["LeaderCompleteness"]
  stop       = "first"
  symmetry   = true
}

expect {
  verdict = "unexplored"
}
