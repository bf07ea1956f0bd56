# Next to a server of an etcd cluster, of which only the messages are seen: multigrain tap etcd. See docs/how-to/monitor.md. Reads are not
# compared. -var servers=4 -var voters=3 is for a cluster of three with a fourth server that is added.

extends = "monitor-fine.hcl"

# The version of etcd: "3.5", "3.6" or "3.7". The stream states it, and a monitor for another one ends undecided (20).
variable "version" {
  type    = string
  default = "3.6"
}

locals {
  libraries = { "3.4" = "v3.4.7", "3.5" = "v3.5.35", "3.6" = "v3.6.0", "3.7" = "v3.7.0" }
}

options {
  variant = local.libraries[var.version]
}

variable "voters" {
  type    = number
  default = 0
}

variable "changes" {
  type    = number
  default = 1
}

variable "membership" {
  type    = string
  default = "joint"
}

# MaxSizePerMsg is 1 MiB, MaxInflightMsgs 512: etcdserver/bootstrap.go.
variable "batch" {
  type    = number
  default = 2
}

variable "inflight" {
  type    = number
  default = 512
}

module "replication" {
  grain = "streamed"
}

module "membership" {
  grain = "baseline"
}

bounds {
  streams = 2
}

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
