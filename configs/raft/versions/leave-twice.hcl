# etcd commit 37c7e4d: a leader does not note that it has proposed the end of a joint configuration, and proposes it whenever it applies
# entries. Whoever applies the second one panics.
#
#     multigrain confirm configs/raft/versions/leave-twice.hcl -var version=v3.4.7

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
  default = 1
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
  grain  = "baseline"
  target = true
}

options {
  variant = var.version
}

implementation "etcd-raft" {
  adapter = var.version == "v3.7.0" ? "../../../raft/etcdraft" : "../../../raft/etcdraft/testdata/${var.version}"
  version = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version

  symptom "panic" {
    text = "can't leave a non-joint config"
  }
}

check {
  unused     = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal", "ProposeLeave"] # without a cause within these bounds
  invariants = ["Panic.leave"]
  symmetry   = true
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "Panic.leave" : null
}
