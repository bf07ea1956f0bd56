# etcd issue 20418: a linearizable read is stale. Before v3.7.0 heartbeats confirm a read by the context that its client chose. So answers
# to the heartbeats of one request confirm another one with the same context. Elections and replication are coarse, reads are fine.
#
#     multigrain check configs/raft/versions/etcd-20418.hcl -var version=v3.6.0
#     multigrain confirm configs/raft/versions/etcd-20418.hcl -var version=v3.6.0
#
# etcd's servers reuse no context, but retry: -var reads=2 -var retries=1 -var reuses=0 has that, in many more states.

extends = "../raft.hcl"

variable "version" {
  type    = string
  default = "v3.6.0"
}

variable "queue" {
  type    = number
  default = 6
}

variable "reads" {
  type    = number
  default = 1
}

variable "retries" {
  type    = number
  default = 0
}

variable "reuses" {
  type    = number
  default = 1
}

locals {
  found = ["v3.4.7", "v3.5.35", "v3.6.0"]
}

module "election" {
  grain = "coarse-votes"
}

module "replication" {
  grain = "coarse-appends"
}

module "apply" {
  grain = "coarse"
}

module "client" {
  grain  = "reads-retried"
  target = true
}

bounds {
  retries = var.retries
  reuses  = var.reuses
}

options {
  variant = var.version
}

implementation "etcd-raft" {
  adapter = var.version == "v3.7.0" ? "../../../raft/etcdraft" : "../../../raft/etcdraft/testdata/${var.version}"
  version = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version

  symptom "stale-read" {
  }
}

check {
  unused     = ["Heal"] # bounds of 0 leave it without a cause
  invariants = ["Linearizability"]
  symmetry   = true
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "Linearizability" : null
  depth     = contains(local.found, var.version) ? (var.version == "v3.4.7" ? 16 : 15) : null
}
