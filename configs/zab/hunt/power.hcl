# No earlier manifest has losses of power with servers that join late, newer snapshots and a leader's
# own threads: here a server can lose what it has not forced and join an epoch that is in progress.
#
# All repairs of findings are in place, in master of 2026-07, and every snapshot and the log that a
# start reads are forced. So a violation would be a new one.

extends = "../fixes/repairs.hcl"

variable "forces" {
  type    = string
  default = "all"
}

variable "crashes" {
  default = 0
}

variable "partitions" {
  default = 1
}

variable "losses" {
  type    = number
  default = 1
}

variable "snapshots" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 0
}

module "faults" {
  grain = "power-flush"
}

locals {
  epochs = 1 + var.crashes + var.partitions + var.losses + var.timeouts
}

bounds {
  losses    = var.losses
  snapshots = var.snapshots
  timeouts  = var.timeouts
}

options {
  forces = var.forces
}

expect {
  verdict = "holds"
}
