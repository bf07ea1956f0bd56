# What clients see of CCF's bugs. Three nodes, a coarse election, and a client that gets each response
# at once. A bug is a manifest of this folder, and waypoints guide the walks to it:
#
#     multigrain refine -max-states 200 -walks 200000 -depth 40 \
#         configs/raft/seen/ccf-ae-ack.hcl configs/raft/ccf-consistency-seen.hcl

extends = "../ccf-clients.hcl"

variable "configurations" {
  default = "1C3N"
}

variable "servers" {
  default = 3
}

variable "terms" {
  default = 4
}

variable "timeouts" {
  default = 2
}

variable "batch" {
  default = 2
}

variable "history" {
  default = 7
}

variable "client" {
  default = "observed-at-once"
}

variable "reads" {
  default = "none"
}

# What does not read requests for votes, which do not exist here.
variable "invariants" {
  default = ["LogInv", "ReplicationInv"]
}

module "election" {
  grain = "coarse"
}

module "client" {
  target = false
}

interaction {
  level = "L0"
}

simulate {
  weights {
    StatusInvalidResponse = 0.1
  }
}

expect {
  verdict = "unexplored" # its walks are for the verb refine
}
