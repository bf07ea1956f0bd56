# Next to a running node of etcd's library: see docs/how-to/monitor.md. The library's configuration is that of raft.hcl.

extends = "raft.hcl"

variable "inflight" {
  type    = number
  default = 8
}

variable "queue" {
  type    = number
  default = 16
}

module "replication" {
  grain  = "batched"
  target = true
}

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
