# etcd issue 12680: a leader that has committed nothing in its term forgets the reads that it is asked for. v3.5.35 treats them after
# its first commit.
#
#     multigrain confirm configs/raft/versions/etcd-12680.hcl -var version=v3.4.7

extends = "../raft.hcl"

variable "version" {
  type    = string
  default = "v3.4.7"
}

variable "terms" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 0
}

variable "reads" {
  type    = number
  default = 1
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

module "apply" {
  grain = "coarse"
}

module "client" {
  grain  = "reads"
  target = true
}

options {
  variant = var.version
}

implementation "etcd-raft" {
  adapter = var.version == "v3.7.0" ? "../../../raft/etcdraft" : "../../../raft/etcdraft/testdata/${var.version}"
  version = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version

  symptom "unanswered-read" {
  }
}

check {
  unused     = ["Heal"] # without a cause within these bounds
  invariants = ["ReadKept"]
  symmetry   = true
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "ReadKept" : null
}
