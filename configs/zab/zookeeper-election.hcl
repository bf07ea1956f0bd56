# ZooKeeper 3.8.0 as in zookeeper.hcl, with its elections at their baseline. It requires streams with
# notifications. See docs/how-to/zookeeper.md.

extends = "zookeeper.hcl"

module "election" {
  grain = "baseline"
}

module "discovery" {
  grain = "baseline"
}

bounds {
  notifications = 24
}

# It is for multigrain monitor: the elections of mspec-3's bounds are too many to explore.
expect {
  verdict = "unexplored"
}
