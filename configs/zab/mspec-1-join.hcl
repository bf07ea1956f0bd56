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
