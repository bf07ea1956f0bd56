# The yardstick: a small Raft of which every checker finds the same number of states. The defaults are configuration MID; with
# requests = 1 it is B, with requests = 1, crashes = 0 and drops = 0 it is A, with crashes = 0 and drops = 0 it is C, and
# with queue = 2 on top of that it is BIG.

system "raft-reference" {
  source = "github.com/multigrain/multigrain/raft/reference"
}

variable "servers" {
  type    = number
  default = 3
}

variable "terms" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 1
}

variable "drops" {
  type    = number
  default = 1
}

variable "queue" {
  type    = number
  default = 1
}

module "raft" {
  grain = "baseline"
}

module "faults" {
  grain = "restart-drop"
}

bounds {
  servers  = var.servers
  terms    = var.terms
  requests = var.requests
  crashes  = var.crashes
  drops    = var.drops
  queue    = var.queue
}

check {
  invariants = ["*"]
}

expect {
  verdict   = "holds"
  distinct  = 1512004
  generated = 8807446
  depth     = 35
}
