# As monitor-reads.hcl, next to a cluster whose voters change, one at a time or jointly, with a tap that tells what is applied: see
# tap.Applying and tap.Applied, and which snapshots it has: tap.Snapshot and tap.Compact.

extends = "monitor-reads.hcl"

variable "changes" {
  type    = number
  default = 1
}

variable "membership" {
  type    = string
  default = "joint"
}

variable "compactions" {
  type    = number
  default = 1
}

# What a server starts from: "applied", what it has applied last, or "snapshot", the snapshot on its disk.
variable "restart_from" {
  type    = string
  default = "applied"
}

module "membership" {
  grain = "baseline"
}

module "apply" {
  grain = "told"
}

module "snapshot" {
  grain = "told"
}

options {
  restart_from = var.restart_from
}

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
