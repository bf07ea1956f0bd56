# Beside a server of ZooKeeper 3.8.0, as zookeeper.hcl, and with its elections at their baseline: of streams that have the notifications.
# See docs/zookeeper.md.

extends = "zookeeper.hcl"

module "election" {
  grain = "baseline"
}

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
