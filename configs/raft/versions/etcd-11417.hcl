# etcd pull request 11417: a leader goes on to hand over to a server that has become a learner, and refuses commands.
#
#     multigrain confirm configs/raft/versions/etcd-11417.hcl -var version=v3.4.7

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

variable "transfers" {
  type    = number
  default = 1
}

locals {
  found = ["v3.4.7"]
}

module "election" {
  grain = "fine"
}

module "replication" {
  grain = "coarse-appends"
}

module "apply" {
  grain = "coarse"
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

  symptom "refused-command" {
  }
}

check {
  unused     = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal", "HandlePreVote", "HandlePreVoteResp", "HandleTimeoutNow", "ProposeLeave"] # without a cause within these bounds
  invariants = ["TransferToVoter"]
  symmetry   = true
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "TransferToVoter" : null
}
