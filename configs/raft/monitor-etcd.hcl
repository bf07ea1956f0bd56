# As monitor-reads.hcl, beside a cluster whose voters change, one at a time or jointly, with a tap that tells what is applied: see
# tap.Applying and tap.Applied. What is applied is kept over a restart.

extends = "monitor-reads.hcl"

variable "changes" {
  type    = number
  default = 1
}

variable "membership" {
  type    = string
  default = "joint"
}

module "membership" {
  grain = "baseline"
}

module "apply" {
  grain = "told"
}

options {
  told_applies = true
}

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
