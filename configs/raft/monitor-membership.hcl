# As monitor.hcl, next to a cluster whose voters change, one at a time or jointly. Four servers, of which three are in the first
# configuration, which every node has in its storage; what is committed is applied again after a restart.

extends = "monitor.hcl"

variable "servers" {
  type    = number
  default = 4
}

variable "voters" {
  type    = number
  default = 3
}

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

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
