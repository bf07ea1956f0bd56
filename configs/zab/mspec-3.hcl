# mSpec-3 of Remix, table 1: Election and Discovery coarse, Synchronization and Broadcast with a follower's threads. The defaults are
# the bounds of its table 5, and what is masked is what mspec-2.hcl masks, for the same reasons.

extends = "mspec-2.hcl"

module "synchronization" {
  grain = "follower-threads"
}

module "broadcast" {
  grain = "follower-threads"
}

# Requests bind, not only the longest history: a follower's may have what its leader's does not
# (ZOOKEEPER-4712).
bounds {
  requests = var.transactions
}

# The gap of mspec-1.hcl, with the steps of the threads. One epoch less than there: the fine composition has 22 100 908 states.
interaction {
  max_states = 40000000
  timeout    = "60m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "a quorum begins without a server that it could reach, which joins late; the coarse grain of figure 5b takes all at once. See coarse-join in mspec-1-join.hcl"
    missed    = 108
    views     = 189
    digest    = "e6efe07777488f476461d1ceb9b50faf4bfc328b"
    sequences = "a30690d4e0000000000000000000000000000000"
  }

  bounds {
    epochs = 1
  }
}

expect {
  verdict   = "violated"
  invariant = "I-10" # ZOOKEEPER-4712
}
