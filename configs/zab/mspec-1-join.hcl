# Synchronization and Broadcast with the coarse grain of Election and Discovery that lets servers join late. With three servers it
# is preserved at level L2 where the coarse grain of mspec-1 misses behaviours: see DESIGN.md. It has more of them to explore, so
# the defaults are smaller: two crashes and two partitions, mspec-1's, have more than 335 million states.
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

interaction {
  accept = []
}

expect {
  verdict     = "holds"
  interaction = "preserved"
}
