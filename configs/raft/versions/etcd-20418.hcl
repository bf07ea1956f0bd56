# etcd issue 20418: a linearizable read is stale. Before v3.7.0 heartbeats confirm a read by the context that its client chose. Answers
# to heartbeats of the first request confirm a second one with the same context, and every read that waits ahead of it.
#
#     multigrain check configs/raft/versions/etcd-20418.hcl -var version=v3.6.0
#     multigrain confirm configs/raft/versions/etcd-20418.hcl -var version=v3.6.0

extends = "../coarse.hcl"

variable "version" {
  type    = string
  default = "v3.6.0"
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 1
}

variable "restarts" {
  type    = number
  default = 0
}

variable "reads" {
  type    = number
  default = 2
}

variable "queue" {
  type    = number
  default = 6
}

module "replication" {
  grain = "coarse-heartbeats" # reads are confirmed by heartbeats, all else is one step
}

module "client" {
  grain  = "reads-retried"
  target = true
}

bounds {
  retries = 1
}

options {
  variant = var.version
}

check {
  unused     = ["Heal"] # bounds of 0 leave it without a cause
  invariants = ["Linearizability"]
  stop       = "first"
}

expect {
  verdict   = contains(["v3.6.0"], var.version) ? "violated" : "holds"
  invariant = contains(["v3.6.0"], var.version) ? "Linearizability" : null
}
