# etcd issue 12133: a server campaigns while it has committed changes of the configuration that it has not applied. Server 0 adds server 1
# and leaves. Then 1 wins alone, and so does 0 after a restart, in the same term. v3.4.7 counts changes of the older kind only.
#
#     multigrain confirm configs/raft/versions/etcd-12133.hcl -var version=v3.4.7

extends = "../raft.hcl"

variable "version" {
  type    = string
  default = "v3.4.7"
}

variable "servers" {
  type    = number
  default = 2
}

variable "voters" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 3
}

variable "requests" {
  type    = number
  default = 0
}

variable "changes" {
  type    = number
  default = 2
}

variable "restarts" {
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

module "membership" {
  grain  = "baseline"
  target = true
}

options {
  variant = var.version
}

implementation "etcd-raft" {
  adapter = var.version == "v3.7.0" ? "../../../raft/etcdraft" : "../../../raft/etcdraft/testdata/${var.version}"
  version = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version

  symptom "two-leaders" {
  }
}

check {
  unused     = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal", "HandleAppResp", "HandleVote", "HandleVoteResp", "ProposeLeave"] # without a cause within these bounds
  invariants = ["ElectionSafety"]
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "ElectionSafety" : null
}
