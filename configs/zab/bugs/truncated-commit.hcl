# A leader makes a follower truncate a transaction that is committed. A leader decides by
# committedLog what a joining follower has to truncate, and committedLog ends with the last
# transaction that the leader has applied. Between commit and apply a follower whose connection
# broke joins again, truncates the transaction, and the leader crashes. No ticket is known.

extends = "truncated-ack.hcl"

module "broadcast" {
  grain = "leader-threads"
}

options {
  leader_threads = "apply"
}

# The leader applies the transaction before it crashes: then it answers the client.
implementation "zookeeper" {
  schedule {
    insert = "LeaderCommitProcessorCommit(I: 1)"
    before = "NodeCrash(I: 1, Tmp: false)"
  }
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
