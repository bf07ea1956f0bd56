# mSpec-4 of Remix, table 1: Election and Discovery as in sysspec.hcl, Synchronization and Broadcast with a follower's threads. What
# mspec-3.hcl finds in a second takes hours here, so the defaults are small. Known and masked, so that the search goes on past
# them: ZOOKEEPER-4394 (bugs/zk-4394.hcl), and ZOOKEEPER-2354, a server that crashes between a snapshot and the epoch and
# does not start again, which Remix does not model.

extends = "sysspec.hcl"

module "synchronization" {
  grain  = "follower-threads"
  target = true
}

module "broadcast" {
  grain  = "follower-threads"
  target = true
}

check {
  invariants = ["*"]
  unused     = ["LeftSyncProcessorLogRequest", "NodeStart", "PartitionRecover"] # without crashes and partitions
  except     = ["I-14.npe", "I-11.epoch"]
}

expect {
  verdict = "holds"
}
