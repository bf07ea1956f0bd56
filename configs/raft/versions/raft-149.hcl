# etcd-io/raft pull request 149: a late rejection moves Next back without regard to Match. So a leader has Next at or below Match. The
# rejection is late as the transport reports the server unreachable after its acknowledgement, so that the leader probes.
#
#     multigrain confirm configs/raft/versions/raft-149.hcl -var version=v3.5.35

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
  default = 1
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

module "network" {
  grain = "reported"
}

bounds {
  reports = 1
}

options {
  variant = var.version
}

implementation "etcd-raft" {
  adapter = var.version == "v3.7.0" ? "../../../raft/etcdraft" : "../../../raft/etcdraft/testdata/${var.version}"
  version = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version

  symptom "next-at-match" {
  }
}

check {
  unused     = ["Heal", "HandleVote", "HandleVoteResp", "ReportFinish", "ReportFailure"] # without a cause within these bounds
  invariants = ["NextAboveMatch"]
  symmetry   = true
  stop       = "first"
}

expect {
  verdict   = contains(local.found, var.version) ? "violated" : "holds"
  invariant = contains(local.found, var.version) ? "NextAboveMatch" : null
}
