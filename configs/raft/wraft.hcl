# WRaft, a library of Raft in C: at its commit e428eeb, which no registry has. So this is a specification only, as
# ../../docs/results/sandtable.md says.
#
# The variable repair is the mistake that is repaired; all repairs all of them.

system "wraft" {
  source = "github.com/multigrain/multigrain/configs/examples/wraft"
}

variable "repair" {
  type    = string
  default = "all"
}

variable "servers" {
  type    = number
  default = 3
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 2
}

variable "beats" {
  type    = number
  default = 0
}

variable "compactions" {
  type    = number
  default = 1
}

variable "isolations" {
  type    = number
  default = 0
}

variable "wire" {
  type    = number
  default = 4
}

variable "invariants" {
  type    = list(string)
  default = ["*"]
}

module "election" {
  grain = "baseline"
}

module "replication" {
  grain  = "baseline"
  target = true
}

module "snapshot" {
  grain  = "baseline"
  target = true
}

module "faults" {
  grain = "isolation"
}

options {
  repair = var.repair
}

bounds {
  servers     = var.servers
  terms       = var.terms
  timeouts    = var.timeouts
  requests    = var.requests
  beats       = var.beats
  compactions = var.compactions
  isolations  = var.isolations
  queue       = 8
  wire        = var.wire
}

check {
  # No server returns unless one is isolated.
  unused      = var.isolations == 0 ? ["Return"] : []
  invariants  = var.invariants
  constraints = ["wire"]
  symmetry    = true
}
