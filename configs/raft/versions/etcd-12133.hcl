# etcd issue 12133: a server campaigns while it has committed changes of joint consensus that it has not applied, and wins by a
# majority of the configuration before. So a leader lacks what another one has committed. v3.4.7 counts the older kind of change only.
#
#     multigrain confirm configs/raft/versions/etcd-12133.hcl -var version=v3.4.7

extends = "../raft.hcl"

variable "version" {
  type    = string
  default = "v3.4.7"
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "changes" {
  type    = number
  default = 1
}

variable "membership" {
  type    = string
  default = "joint"
}

locals {
  found = ["v3.4.7"]
}

module "election" {
  grain = "coarse-votes"
}

module "replication" {
  grain = "coarse-appends"
}

module "membership" {
  grain   = "baseline"
  target = true
}

options {
  variant = var.version
}

implementation "etcd-raft" {
  adapter = var.version == "v3.7.0" ? "../../../raft/etcdraft" : "../../../raft/etcdraft/testdata/${var.version}"
  version = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version

  symptom "lost-commit" {
  }
}

check {
  invariants = ["LeaderCompleteness"]
  symmetry   = true
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "LeaderCompleteness" : null
}
