# mSpec-3 of Remix, table 1: Election and Discovery coarse, Synchronization and Broadcast with a follower's threads. The defaults are
# the bounds of its table 5, and what is masked is what mspec-2.hcl masks, for the same reasons.

extends = "mspec-2.hcl"

module "synchronization" {
  grain = "fine-concurrent"
}

module "broadcast" {
  grain = "fine-concurrent"
}

# Requests bind, not only the longest history: a follower's may hold what its leader's does not (ZOOKEEPER-4712).
bounds {
  requests = var.transactions
}

# The fine composition has more than 15 million states and does not end in ten minutes, so no level
# above L0 is stated. mspec-2.hcl compares the same coarse grain for a Synchronization without threads.
interaction {
  level      = "L0"
  accept     = [] # those of mspec-2.hcl have another extent
  max_states = 40000000
  bounds {
    epochs = 1
  }
}

expect {
  verdict   = "violated"
  invariant = "I-10" # ZOOKEEPER-4712
}
