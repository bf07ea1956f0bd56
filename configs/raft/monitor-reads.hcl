# As monitor-fine.hcl, with linearizable reads: ReadIndex at leaders and followers. A leader has room for twice as many reads that are not
# confirmed as "reads" says. -var read_only=lease is for servers with ReadOnlyLeaseBased.

extends = "monitor-fine.hcl"

variable "reads" {
  type    = number
  default = 16
}

# One step of a leader may ask for the confirmation of all reads that waited for its first commit, with a heartbeat each.
variable "queue" {
  type    = number
  default = 48
}

module "client" {
  grain = "reads"
}

options {
  local_reads = true
}

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
