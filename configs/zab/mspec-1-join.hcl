# Synchronization and Broadcast with the coarse grain of Election and Discovery that lets servers join late. With three servers it
# is preserved at level L2 where the coarse grain of mspec-1 is not, without faults: see DESIGN.md.
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
