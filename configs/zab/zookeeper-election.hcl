# Beside a server of ZooKeeper 3.8.0, as zookeeper.hcl, and with its elections at their baseline: of streams that have the notifications.
# See docs/zookeeper.md.

extends = "zookeeper.hcl"

module "election" {
  grain = "baseline"
}

module "discovery" {
  grain = "baseline"
}

# It is for multigrain monitor: the elections of mspec-3's bounds are too many to explore.
expect {
  verdict = "unexplored"
}
