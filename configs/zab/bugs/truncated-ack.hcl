# A leader counts the acknowledgement of a follower that has since truncated the proposal. The
# follower logs and acknowledges a proposal, its connection breaks, and it joins the same leader
# again in the same epoch. TRUNC takes the proposal from its log, and nothing takes its
# acknowledgement back. The leader logs the proposal, counts a quorum, commits it and answers the
# client. Then the leader crashes, and the only copy is gone. No ticket is known.
#
# Only a follower that joins again shows it, and only a leader with a log thread of its own.

extends = "../mspec-1-join.hcl"

variable "transactions" {
  default = 1
}

module "synchronization" {
  grain = "follower-threads"
}

module "broadcast" {
  grain = "leader-threads"
}

# Requests bind, not only the longest history: a follower's may have what its leader's does not.
bounds {
  requests = var.transactions
}

options {
  leader_threads = "log"
}

check {
  invariants = ["I-8"]
  stop       = "first"
}

# With one history for log and memory, a follower that loses its leader before it serves does more
# than ZooKeeper's: see memory-behind-log.hcl.
implementation "zookeeper" {
  constraints = ["memory-at-log"]

  symptom "lost-write" {}

  # The follower's connection does not break.
  control {
    without = "PartitionStart(I: 1, J: 2)"
  }
}

# With threads the comparison of mspec-1-join.hcl does not end in ten minutes.
interaction {
  level = "L0"
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
