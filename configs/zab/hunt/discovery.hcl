# No earlier manifest has the messages of Discovery with disks apart: a server crashes, or loses its
# connection, between the epoch that it has accepted and the one that its leader knows, while its
# memory, log and snapshot differ.
#
# All repairs of findings are in place, in master of 2026-07. So a violation would be a new one.

extends = "../fixes/repairs.hcl"

variable "crashes" {
  default = 1
}

variable "partitions" {
  default = 1
}

module "election" {
  grain = "coarse-election"
}

module "discovery" {
  grain = "baseline"
}

interaction {
  level  = "L0"
  accept = []

  against {
    election  = "baseline"
    discovery = null # not coarse here
  }
}

expect {
  verdict = "holds"
}
