# mSpec-2 of Remix, table 1: Election and Discovery coarse, Synchronization fine on atomicity, Broadcast baseline. The defaults are
# the bounds of its table 5. Known and masked, so that the search goes on past them: ZOOKEEPER-4394 (bugs/zk-4394.hcl), and
# ZOOKEEPER-2354, a server that crashes between a snapshot and the epoch and does not start again, which Remix does not model.
# Bounds, and the comparison of the coarse grain, are those of mspec-1.hcl.

extends = "mspec-1.hcl"

module "synchronization" {
  grain = "fine-atomic"
}

check {
  except = ["I-14.npe", "I-11.epoch"]
}

expect {
  verdict   = "violated"
  invariant = "I-8" # ZOOKEEPER-4643
}
