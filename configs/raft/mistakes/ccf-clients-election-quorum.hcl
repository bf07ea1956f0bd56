# CCF, incorrect election quorum tally, as clients see it: two transactions with one ID.
#
#     multigrain refine configs/raft/mistakes/ccf-clients-election-quorum.hcl configs/raft/ccf-consistency-seen.hcl

extends = "../ccf-clients.hcl"

variable "mistake" {
  default = "election-quorum"
}

variable "configurations" {
  default = "2C5N"
}

variable "servers" {
  default = 5
}

variable "timeouts" {
  default = 2
}

variable "step_downs" {
  default = 0
}

variable "changes" {
  default = 1
}


variable "queue" {
  default = 2
}

variable "log" {
  default = 5
}

variable "wire" {
  default = 1
}

variable "constraints" {
  default = ["wire"]
}

variable "reads" {
  default = "none"
}

variable "client" {
  default = "observed-at-once"
}
