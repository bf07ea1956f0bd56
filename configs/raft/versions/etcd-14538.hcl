# etcd pull requests 14538 and 14545: a leader appends the end of a joint configuration and sends it to nobody, so the servers stay in
# that configuration until something else is sent.
#
#     multigrain confirm configs/raft/versions/etcd-14538.hcl -var version=v3.5.35

extends = "../raft.hcl"

variable "version" {
  type    = string
  default = "v3.5.35"
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

variable "membership" {
  type    = string
  default = "joint"
}

locals {
  found = ["v3.4.7", "v3.5.35"]
}

module "election" {
  grain = "coarse-votes"
}

module "replication" {
  grain = "coarse-appends"
}

module "membership" {
  grain  = "demotions"
  target = true
}

options {
  variant = var.version
}

implementation "etcd-raft" {
  adapter = var.version == "v3.7.0" ? "../../../raft/etcdraft" : "../../../raft/etcdraft/testdata/${var.version}"
  version = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version

  symptom "stuck-joint" {
  }
}

check {
  unused     = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal", "ProposeLeave"] # without a cause within these bounds
  invariants = ["LeaveSent"]
  symmetry   = true
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "LeaveSent" : null
}
