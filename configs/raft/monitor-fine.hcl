# As monitor.hcl, beside servers that ask before they campaign, step down without a quorum and hand over their leadership: PreVote,
# CheckQuorum, TransferLeader. -var pre_vote=false and -var check_quorum=false are for servers without.

extends = "monitor.hcl"

variable "pre_vote" {
  type    = bool
  default = true
}

variable "check_quorum" {
  type    = bool
  default = true
}

variable "transfers" {
  type    = number
  default = 1
}

module "election" {
  grain = "fine-timeouts"
}

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
