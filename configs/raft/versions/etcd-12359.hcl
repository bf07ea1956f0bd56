# etcd issue 12359: a server that is only in the outgoing half of a joint configuration ignores the snapshot that its leader sends. The
# leader waits for it for ever.
#
#     multigrain confirm configs/raft/versions/etcd-12359.hcl -var version=v3.4.7

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

variable "changes" {
  type    = number
  default = 1
}

variable "compactions" {
  type    = number
  default = 1
}

variable "membership" {
  type    = string
  default = "joint-manual"
}

locals {
  found = ["v3.4.7"]
}

module "election" {
  grain = "coarse-votes"
}

module "apply" {
  grain = "coarse"
}

module "membership" {
  grain = "baseline"
}

module "snapshot" {
  grain  = "baseline"
  target = true
}

options {
  variant = var.version
}

implementation "etcd-raft" {
  adapter = var.version == "v3.7.0" ? "../../../raft/etcdraft" : "../../../raft/etcdraft/testdata/${var.version}"
  version = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version

  symptom "stuck-snapshot" {
  }
}

check {
  unused     = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal"] # without a cause within these bounds
  invariants = ["SnapshotTaken"]
  symmetry   = true
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "SnapshotTaken" : null
}
