# etcd pull request 14633: the answer to a heartbeat frees the oldest append in flight, which need not have arrived. So a leader has
# more appends in flight than MaxInflightMsgs allows.
#
#     multigrain confirm configs/raft/versions/etcd-14633.hcl -var version=v3.5.35

extends = "../raft.hcl"

variable "version" {
  type    = string
  default = "v3.5.35"
}

variable "servers" {
  type    = number
  default = 2
}

variable "network" {
  type    = string
  default = "udp"
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
  default = 2
}

variable "heartbeats" {
  type    = number
  default = 1
}

locals {
  found = ["v3.4.7", "v3.5.35"]
}

module "election" {
  grain = "coarse-votes"
}

module "replication" {
  grain  = "baseline"
  target = true
}

module "apply" {
  grain = "coarse"
}

options {
  variant = var.version
}

implementation "etcd-raft" {
  adapter = var.version == "v3.7.0" ? "../../../raft/etcdraft" : "../../../raft/etcdraft/testdata/${var.version}"
  version = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version

  symptom "many-appends" {
  }
}

check {
  unused     = ["Heal", "HandleVote", "HandleVoteResp"] # without a cause within these bounds
  invariants = ["AppendsBounded"]
  symmetry   = true
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "AppendsBounded" : null
}
