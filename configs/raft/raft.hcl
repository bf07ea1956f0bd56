# Raft as etcd's library runs it, every module at its baseline grain: three servers, two elections, one command. Other manifests
# extend this one.

system "raft" {
  source = "github.com/multigrain/multigrain/raft"
}

variable "servers" {
  type    = number
  default = 3
}

variable "network" {
  type    = string
  default = "tcp"
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 1
}

variable "reads" {
  type    = number
  default = 0
}

variable "changes" {
  type    = number
  default = 0
}

variable "learners" {
  type    = number
  default = 0
}

variable "voters" {
  type    = number
  default = 0
}

variable "membership" {
  type    = string
  default = "one-at-a-time"
}

variable "heartbeats" {
  type    = number
  default = 0
}

variable "restarts" {
  type    = number
  default = 0
}

variable "partitions" {
  type    = number
  default = 0
}

variable "drops" {
  type    = number
  default = 0
}

variable "duplicates" {
  type    = number
  default = 0
}

variable "writes" {
  type    = number
  default = 0
}

variable "compactions" {
  type    = number
  default = 0
}

variable "inflight" {
  type    = number
  default = 1
}

variable "batch" {
  type    = number
  default = 1
}

variable "queue" {
  type    = number
  default = 8
}

variable "pre_vote" {
  type    = bool
  default = false
}

variable "check_quorum" {
  type    = bool
  default = false
}

variable "transfers" {
  type    = number
  default = 0
}

variable "elapses" {
  type    = number
  default = 1
}

variable "read_only" {
  type    = string
  default = null # "safe", unless a grain sets it
}

variable "mistake" {
  type    = string
  default = "none"
}

module "election" {
  grain = "baseline"
}

module "replication" {
  grain = "baseline"
}

module "apply" {
  grain = "baseline"
}

module "client" {
  grain = "baseline"
}

module "faults" {
  grain = "restart-partition"
}

module "network" {
  grain = "drop-duplicate"
}

bounds {
  servers     = var.servers
  terms       = var.terms
  timeouts    = var.timeouts
  requests    = var.requests
  reads       = var.reads
  heartbeats  = var.heartbeats
  restarts    = var.restarts
  partitions  = var.partitions
  drops       = var.drops
  duplicates  = var.duplicates
  changes     = var.changes
  learners    = var.learners
  voters      = var.voters
  transfers   = var.transfers
  elapses     = var.elapses
  writes      = var.writes
  compactions = var.compactions
  inflight    = var.inflight
  batch       = var.batch
  queue       = var.queue
}

options {
  network      = var.network
  pre_vote     = var.pre_vote
  check_quorum = var.check_quorum
  membership   = var.membership
  read_only    = var.read_only
  mistake      = var.mistake
}

# What Raft is for: multigrain refine MANIFEST replicated-log.hcl
refines "replicated-log" {
  map       = "github.com/multigrain/multigrain/configs/examples/replicated.OfRaft"
  variables = ["Committed"]
}

check {
  unused     = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal"] # bounds of 0 leave them without a cause
  invariants = ["*"]
}

expect {
  verdict = "holds"
}
