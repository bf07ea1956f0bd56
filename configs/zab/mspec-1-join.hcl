# Synchronization and Broadcast with the coarse grain of Election and Discovery that lets servers join late, which that of
# mspec-1 misses. It has more behaviours to explore, so the defaults are smaller: two crashes and two partitions, mspec-1's,
# have more than 335 million states.
extends = "mspec-1.hcl"

variable "crashes" {
  default = 1
}

variable "partitions" {
  default = 1
}

module "election" {
  grain = "coarse-join"
}

options {
  exceptions = "continue"
}

# See memory-behind-log-after-crash in parts/zookeeper.hcl. In mspec-1.hcl and what else extends it no follower gives up.
implementation "zookeeper" {
  difference "memory-behind-log-after-giving-up" {
    deviation = "goLooking"
    versions  = ["3.8.0", "3.9.1"]
    action    = "FollowerGivesUp"
    variable  = "LastProcessed"
    when = length([for k in Status : k if have.LastProcessed[k] != after.LastProcessed[k] && !(
      State[k] == "FOLLOWING" && ServingState[k] != "RUNNING" && have.LastProcessed[k] == LastProcessed[k] && after.LastProcessed[k] == length(History[k])
    )]) == 0
  }
}

# Level L2 does not end: a follower that gives up begins an election that no bound counts, and 12 million fine states do not
# reach the end. Where no follower gives up, as in fixes/final-disk.hcl, L2 finds one gap, which is accepted there.
interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict     = "holds"
  interaction = "preserved"
}
