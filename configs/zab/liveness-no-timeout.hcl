# liveness.hcl with Discovery step by step and without its time-outs: a server is elected and its only supporter crashes before it
# connects. The third one has the highest number, votes for itself and finds no quorum for another; the leader waits for a quorum for
# ever. ZooKeeper ends that after initLimit ticks (Leader.getEpochToPropose): option phase_timeouts.

extends = "liveness.hcl"

variable "partitions" {
  default = 0
}

module "election" {
  grain = "coarse-election"
}

module "discovery" {
  grain = "baseline"
}

check {
  unused = ["PartitionStart", "PartitionRecover"]
}

expect {
  verdict   = "violated"
  invariant = "broadcast"
  kind      = "liveness"
  depth     = 2
}
